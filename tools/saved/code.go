package saved

import (
	"encoding/json"
	"regexp"
	"strings"
)

// interpreter is the tool that runs code.
const interpreter = "code_interpreter"

// What code says at its beginning is its parameters: names that are given a plain value before anything else happens, as in a notebook's first cell.
var (
	pythonValue = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]{0,40})[ \t]*=[ \t]*(-?\d{1,15}(?:\.\d{1,15})?|"[^"\\\n]*"|'[^'\\"\n]*'|True|False)([ \t]*(?:#.*)?)$`)
	scriptValue = regexp.MustCompile(`^(?:const|let|var)[ \t]+([A-Za-z_][A-Za-z0-9_]{0,40})[ \t]*=[ \t]*(-?\d{1,15}(?:\.\d{1,15})?|"[^"\\\n]*"|'[^'\\"\n]*'|true|false)[ \t]*;?([ \t]*(?://.*)?)$`)
	// idle lines may stand among them.
	pythonIdle = regexp.MustCompile(`^[ \t]*(?:#.*)?$|^(?:import|from)[ \t][A-Za-z0-9_., \t]+$`)
	scriptIdle = regexp.MustCompile(`^[ \t]*(?://.*)?$`)
)

// code makes parameters of the values at the beginning of a step's code.
func (m *maker) code(given map[string]any, code string) {
	value, idle, script := pythonValue, pythonIdle, given["language"] == "javascript"
	if script {
		value, idle = scriptValue, scriptIdle
	}
	lines := strings.Split(code, "\n")
	arguments := map[string]any{}
	for i, line := range lines {
		line = strings.TrimSuffix(line, "\r")
		found := value.FindStringSubmatch(line)
		if found == nil {
			if idle.MatchString(line) {
				continue
			}
			break
		}
		name, v := found[1], literal(found[2])
		if _, twice := arguments[name]; twice || name == "args" {
			break
		}
		ref := m.field(name, v, map[string]any{"default": v}, false)
		arguments[name] = ref
		if script {
			lines[i] = strings.Replace(line, found[2], "args."+name, 1)
		} else {
			lines[i] = name + ` = args["` + name + `"]` + found[3]
		}
	}
	if code = strings.Join(lines, "\n"); strings.HasPrefix(code, "$") {
		code = "$" + code
	}
	given["code"] = code
	if old, ok := given["arguments"].(map[string]any); ok { // a saved tool of code, saved again
		for k, v := range old {
			if _, there := arguments[k]; !there {
				arguments[k] = m.field(k, v, map[string]any{"default": v}, false)
			}
		}
	}
	if len(arguments) > 0 {
		given["arguments"] = arguments
	}
}

// literal is the value of a literal of Python or JavaScript.
func literal(text string) any {
	switch {
	case text == "True" || text == "true":
		return true
	case text == "False" || text == "false":
		return false
	case text[0] == '"' || text[0] == '\'':
		return text[1 : len(text)-1]
	}
	if digits := strings.TrimPrefix(text, "-"); len(digits) > 1 && digits[0] == '0' && digits[1] != '.' { // 007 is no number of JSON
		return text
	}
	return json.Number(text)
}
