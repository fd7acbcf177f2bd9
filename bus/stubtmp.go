package bus

type replies struct{}
type cancels struct{}
type Directory struct{}
type members struct{}
type Service struct{}

func (s *Service) Stop() {}
