package vectors

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"math"
)

// name is a text in the cache: a hash of it.
type name string

func digest(text string, bytes int) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:bytes])
}

func (s *Store) name(text string) name { return name(digest(text, 16)) }

// prefix is what the keys of a space begin with.
func (s *Store) prefix() string { return "vector." + digest(s.o.Space, 8) }

func (s *Store) key(n name) string { return s.prefix() + "." + string(n) }

// magic begins an entry of the cache; behind it stand a CRC-32C of its key and what follows, and the numbers, little-endian.
const magic = "HMV1"

// maxLength is the longest vector; the longest of a vendor known has 4,096 numbers.
const maxLength = 16_384

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func encode(key string, v []float32) []byte {
	body := make([]byte, 8, 8+4*len(v))
	copy(body, magic)
	for _, x := range v {
		body = binary.LittleEndian.AppendUint32(body, math.Float32bits(x))
	}
	binary.LittleEndian.PutUint32(body[4:], sum(key, body[8:]))
	return body
}

func sum(key string, numbers []byte) uint32 {
	return crc32.Update(crc32.Checksum([]byte(key), castagnoli), castagnoli, numbers)
}

// decode reads an entry; nil: it is damaged, or of somebody else.
func decode(key string, body []byte) []float32 {
	if len(body) < 12 || len(body)%4 != 0 || len(body) > 8+4*maxLength || string(body[:4]) != magic || binary.LittleEndian.Uint32(body[4:]) != sum(key, body[8:]) {
		return nil
	}
	v := make([]float32, (len(body)-8)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(body[8+4*i:]))
	}
	if unit(v) == nil {
		return nil
	}
	return v
}

// unit is the vector with length 1; nil when it has no direction.
func unit(v []float32) []float32 {
	square := 0.0
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	if square == 0 || math.IsNaN(square) || math.IsInf(square, 0) || len(v) > maxLength {
		return nil
	}
	f := 1 / math.Sqrt(square)
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(float64(x) * f)
	}
	return out
}
