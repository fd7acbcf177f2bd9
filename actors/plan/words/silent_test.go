package words

import (
	"strings"
	"testing"
)

// A name is parted into its words whatever way it is written in.
func TestParted(t *testing.T) {
	for name, want := range map[string]string{
		"user_id": "user_id", "userId": "user_Id", "user-id": "user_id", "UserID": "User_ID", "getCPUUsage": "get_CPU_Usage", "listURLs": "list_URLs",
		"orderIDs": "order_IDs", "订单id": "订单_id", "x": "x", "": "", "HTTPServer2": "HTTP_Server2",
	} {
		if got := Parted(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// Of a name that says nothing the first words that are told stand for it; any word of English or of what is told says something.
func TestSpoken(t *testing.T) {
	for _, c := range []struct{ name, told, want string }{
		{"tool_17", "Retrieve the weather forecast for a city", "retriev weather forecast city!"},
		{"p3", "城市名称", "城市 市名 名称!"},
		{"qzwxk", "the unique code of the parcel", "uniqu code parcel!"},
		{"get_weather", "Current conditions", "weather"},
		{"speaker2", "name of the second speaker", "speaker2"},
		{"temp_1", "temperature of the first object", "temp"},
		{"ciudad", "la ciudad de destino", "ciudad"},
		{"qzwxk", "", "qzwxk"},
	} {
		called, silent := Spoken(c.name, c.told)
		got := strings.Join(called, " ") + Either(silent, "!", "")
		if got != c.want {
			t.Errorf("%s (%s): %s, want %s", c.name, c.told, got, c.want)
		}
	}
}
