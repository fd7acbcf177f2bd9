package outline

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	_ "image/gif"  // so that DecodeConfig and Decode know them
	_ "image/jpeg" // …
	_ "image/png"  // …
)

const (
	// MaxPicture is the largest picture, in bytes.
	MaxPicture = 10 << 20
	// maxPixels is the most that a picture may unpack to: 96 MiB in memory.
	maxPixels = 24 << 20
)

// Image is a picture that was looked into: its type is that of its content, whatever its name says.
type Image struct {
	Type          string // image/png, image/jpeg or image/gif
	Width, Height int    // pixels
	Content       []byte
}

// ReadImage decodes a picture to its end, so that what a document holds can be shown. Only PNG, JPEG and GIF; an SVG is a program.
func ReadImage(content []byte) (*Image, error) {
	if len(content) > MaxPicture {
		return nil, fmt.Errorf("a picture of %d bytes: %d at most", len(content), MaxPicture)
	}
	head, kind, err := image.DecodeConfig(bytes.NewReader(content))
	if err != nil {
		return nil, errors.New("no picture: want PNG, JPEG or GIF")
	}
	if head.Width < 1 || head.Height < 1 || head.Width > maxPixels/head.Height {
		return nil, fmt.Errorf("a picture of %d × %d pixels: %d in all at most", head.Width, head.Height, maxPixels)
	}
	if _, _, err := image.Decode(bytes.NewReader(content)); err != nil {
		return nil, fmt.Errorf("a damaged picture (%s): %w", kind, err)
	}
	return &Image{Type: "image/" + kind, Width: head.Width, Height: head.Height, Content: content}, nil
}

// URL is the picture as a data: URL.
func (i *Image) URL() string {
	return "data:" + i.Type + ";base64," + base64.StdEncoding.EncodeToString(i.Content)
}

// Fit is the picture's size in a box, in the box's unit: never distorted, and no larger than its pixels at 96 to the inch; inch is what
// an inch is in that unit.
func (i *Image) Fit(width, height, inch float64) (w, h float64) {
	w, h = float64(i.Width)*inch/96, float64(i.Height)*inch/96
	scale := min(1, width/w, height/h)
	return w * scale, h * scale
}
