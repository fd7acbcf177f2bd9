package gloss

import (
	"slices"
	"testing"
)

func TestGloss(t *testing.T) {
	for _, c := range []struct {
		name, description string
		want              []string
	}{
		{"list_directory", "Lists what is in a directory.", []string{"列出目录", "列出文件夹", "查看目录", "目录"}},
		{"get-sum", "Adds two numbers.", []string{"获取求和", "求和"}},
		{"readFile", "", []string{"读取文件"}},
		{"move_files", "", []string{"移动文件", "重命名文件"}},
		{"create_entities", "", []string{"创建实体"}},
		{"maps_weather", "根据城市名称查询指定城市的天气。", []string{"weather", "query"}},
		{"list_tickets", "List support tickets", []string{"列出工单", "工单"}},
		{"approve_leave", "Approve a pending leave request", []string{"批准请假", "请假"}},
		{"drive_share_file", "Share a file with a user", []string{"共享文件", "分享文件"}},
		{"cancel_subscription", "Cancel a subscription", []string{"取消订阅"}},
		{"frobnicate", "Does it.", nil},
		{"", "", nil},
	} {
		got := Tags(c.name, c.description)
		for _, w := range c.want {
			if !slices.Contains(got, w) {
				t.Errorf("%s: %v lacks %s", c.name, got, w)
			}
		}
		if len(got) > maxGloss || c.want == nil && len(got) > 0 {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}
