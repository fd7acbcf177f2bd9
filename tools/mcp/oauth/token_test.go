package oauth

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
)

// An answer without a token that can be sent is none.
func TestReadTokens(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "[]", "{}", `{"access_token":7}`, `{"access_token":"a b"}`, `{"access_token":"a\nX: y"}`, `{"access_token":"x","token_type":"mac"}`, `{"access_token":"x","error":"no"}`} {
		if got, err := readTokens("x.example", http.StatusOK, []byte(body)); err == nil {
			t.Errorf("%.60q gave %+v", body, got)
		}
	}
	got, err := readTokens("x.example", http.StatusOK, []byte(`{"access_token":"x","expires_in":1}`))
	if err != nil || time.Until(got.Until) > time.Second {
		t.Errorf("%+v %v", got, err)
	}
	var no *refusal
	if _, err = readTokens("x.example", http.StatusTooManyRequests, []byte("slow down")); !errors.As(err, &no) || no.final() {
		t.Error(err)
	}
	if _, err = readTokens("x.example", http.StatusBadRequest, []byte(`{"error":"invalid_grant"}`)); !errors.As(err, &no) || !no.final() {
		t.Error(err)
	}
}

func FuzzTokens(f *testing.F) {
	f.Add(200, []byte(`{"access_token":"x","token_type":"bearer","expires_in":1e300}`))
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		got, err := readTokens("x.example", status, body)
		if err == nil && (got.Access == "" || http.Header.Write(http.Header{"A": {got.Access}}, &strings.Builder{}) != nil || time.Until(got.Until) < 0) {
			t.Errorf("%+v", got)
		}
	})
}
