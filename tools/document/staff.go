package document

import (
	"github.com/hmap-project/hmap/bus"
	"github.com/hmap-project/hmap/tools/document/outline"
)

// worked adds to an outline who worked on what it tells: the role of each tool that brought something, its name, and how often, in the order in
// which they came in. An outline that is empty stays so, and so does one of records without roles.
func worked(o *outline.Outline, records []bus.Record) {
	type of struct{ call, tool string }
	roles, calls := map[of]string{}, map[[2]string]int{}
	var order [][2]string // role and tool
	for _, r := range records {
		for tool, role := range r.Employees {
			if at := (of{r.Call, tool}); roles[at] == "" { // a tool keeps the role that it has in a call
				roles[at] = role
			}
		}
		role := roles[of{r.Call, r.ToolName}]
		if r.Kind != bus.KindResult || r.Status != bus.OK || r.ToolName == reportTool || role == "" {
			continue
		}
		who := [2]string{role, r.ToolName}
		if calls[who]++; calls[who] == 1 {
			order = append(order, who)
		}
	}
	if len(o.Sections) == 0 || len(order) == 0 {
		return
	}
	t := outline.Table{Columns: []string{o.Words("角色", "Role"), o.Words("工具", "Tool"), o.Words("次数", "Calls")}}
	for _, who := range order {
		t.Rows = append(t.Rows, []outline.Cell{outline.Text(who[0]), outline.Text(who[1]), outline.Number(float64(calls[who]))})
	}
	o.Sections = append(o.Sections, outline.Section{Heading: o.Words("参与的数字员工", "Who worked on it"), Tables: []outline.Table{t}})
}
