package bus

import "testing"

func TestSpeakAndHear(t *testing.T) {
	b := newBus(t)
	other := beside(t, b)
	ctx := within(t)
	heard, ended := make(chan Live), make(chan struct{})
	go func() {
		defer close(ended)
		for l := range b.Hear(ctx, "s", 16) {
			heard <- l
		}
	}()
	speak := func(n int) { other.Speak("s", Live{Task: "t", Call: "t", Channel: "answer", Offset: n, Text: "你"}) }
	// Listening begins when the loop does, so the first word is repeated until somebody hears it.
	var first Live
	for n := 0; first.Text == ""; n++ {
		speak(0)
		select {
		case first = <-heard:
		default:
			if !pause(ctx, n) {
				t.Fatal("nothing heard")
			}
		}
	}
	if first.Task != "t" || first.Text != "你" {
		t.Errorf("heard %+v", first)
	}
	if err := other.nc.Publish(LiveSubject("main", "s", "t"), []byte("noise")); err != nil {
		t.Fatal(err)
	}
	other.Speak("*", Live{Task: "t"})
	other.Speak("s", Live{Task: ">"})
	if err := other.nc.Publish(LiveSubject("main", "s", "t"), []byte(`{"task":"lie","offset":7}`)); err != nil {
		t.Fatal(err)
	}
	for l := range heard {
		if l.Offset == 7 {
			if l.Task != "t" {
				t.Errorf("the body is believed: %+v", l)
			}
			break
		}
	}
	b.Close()
	go func() {
		for range heard {
		}
	}()
	<-ended
	close(heard)
}
