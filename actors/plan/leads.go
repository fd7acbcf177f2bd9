package plan

import "github.com/hmap-project/hmap/actors/plan/words"

// leading is what it is worth that a clause begins with how a tool that reads documents calls its deed: 调研一下运费纠纷 wants research, not the rule.
const leading = 1.5

// sourced says that sources are wanted with what is found: no wish of its own, but how another is to be answered.
var sourced = words.MustCompile(`(?i)^[\s,，、;；]*(?:并且?|还|且|也|要|请|需要|同时|and|please)*\s*(?:(?:给出?|附上?|带上?|注明|标注|标出?|列出|写明|说明|有)(?:明|出)?(?:引用|出处|来源|参考资料|参考文献)|(?:with|give|cite|citing|include|including|list|add)\s+(?:me\s+)?(?:the\s+|your\s+|all\s+)?(?:sources?|citations?|references?))[\s。.!！]*$`)
