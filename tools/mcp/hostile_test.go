package mcp

const hostileEnv = "HMAP_MCP_HOSTILE"

// hostile is a server that does harm, in a process of its own.
func hostile(kind string) {}
