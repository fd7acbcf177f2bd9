package eval

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hmap-project/hmap/actors/plan"
)

// intent cuts an ECom-Bench script into what the customer wants, one thing after the other.
var intent = regexp.MustCompile(`(?s)<意图[^<>\n]*>(.*?)<[\\/]意图[^<>\n]*>`)

type script struct {
	ID          int         `json:"id"`
	UserID      string      `json:"user_id"`
	ShopID      string      `json:"shop_id"`
	Platform    string      `json:"platform"`
	Instruction string      `json:"instruction"`
	Actions     []shopsCall `json:"actions"`
	Searches    []shopsCall `json:"searches"`
}

type shopsCall struct {
	Name string `json:"name"`
}

// ecom reads ECom-Bench; what is counted is told in the package comment.
func ecom(tasks, tools string) (Set, error) {
	s := Set{Name: "ECom-Bench", First: true}
	var err error
	if s.Cards, _, err = Catalogue(tools); err != nil {
		return s, err
	}
	known := map[string]bool{}
	for _, c := range s.Cards {
		known[c.Name] = true
	}
	err = rows(tasks, func(t script) error {
		c := Case{ID: fmt.Sprint(t.ID), Context: fmt.Sprintf("user_id: %s, shop_id: %s, platform: %s", t.UserID, t.ShopID, t.Platform)}
		for _, m := range intent.FindAllStringSubmatch(t.Instruction, -1) {
			c.Requests = append(c.Requests, strings.TrimSpace(m[1]))
		}
		if len(c.Requests) == 0 {
			return fmt.Errorf("task %d has no intents", t.ID)
		}
		wanted := map[string]bool{}
		for _, call := range append(t.Searches, t.Actions...) {
			name := call.Name
			if !known[name] && known[name+"_tool"] { // actions are listed under the name of the function behind the tool
				name += "_tool"
			}
			if !wanted[name] {
				wanted[name] = true
				c.Wanted = append(c.Wanted, plan.Call{ToolName: name})
			}
		}
		s.Cases = append(s.Cases, c)
		return nil
	})
	return s, err
}
