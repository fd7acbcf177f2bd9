package shop

import "time"

// span are the arguments that name a stretch of days, shared by the tools that count.
type span struct {
	Period string `json:"period,omitempty" jsonschema:"title=时间段,example=下个月,example=上个月,example=本月,example=上周,example=最近30天,example=未来2周,example=2026年12月,example=12月,example=next month,example=last 30 days" jsonschema_description:"用自然语言说的时间段；与 from、to 二选一"`
	From   string `json:"from,omitempty" jsonschema:"title=起始日期,format=date" jsonschema_description:"YYYY-MM-DD，含当天"`
	To     string `json:"to,omitempty" jsonschema:"title=结束日期,format=date" jsonschema_description:"YYYY-MM-DD，含当天"`
}

// always is the period of whatever has a date.
var always = Period{time.Date(2000, 1, 1, 0, 0, 0, 0, place), time.Date(2099, 12, 31, 0, 0, 0, 0, place)}

// read is the period meant, or unsaid when there is none. Of from and to one alone takes the other from unsaid.
func (s span) read(today time.Time, tense Tense, unsaid Period) (Period, error) {
	switch {
	case s.Period != "" && s.From == "" && s.To == "":
		return ParsePeriod(s.Period, today, tense)
	case s.From == "" && s.To == "":
		return unsaid, nil
	}
	from, to := s.From, s.To
	if from == "" {
		from = unsaid.From.Format(dayForm)
	}
	if to == "" {
		to = unsaid.To.Format(dayForm)
	}
	return ParseRange(from, to, place)
}

// midnight is the day of a moment.
func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
}
