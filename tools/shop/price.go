package shop

import "math"

// PriceAdvice is what to do with a price and what to expect of it. Changes are shares: 0.1 is 10 % more.
type PriceAdvice struct {
	Price        float64 // equal to the old one when the advice is to keep it
	Change       float64
	UnitsChange  float64 // expected, at the estimated elasticity
	ProfitChange float64 // of units × (price − cost)
	// WorstProfitChange is the same at the less favourable end of the 80 % interval; never below 0, since keeping the price
	// is always possible.
	WorstProfitChange float64
}

// Bounds of an advice: how far from the price it may go, and below which certain gain it is not worth the trouble.
const (
	maxPriceChange = .20
	minProfitGain  = .005
)

// BestPrice is the price, in steps of 1 % up to ±20 % of the present one, with the best profit in the worse case of the
// elasticity's 80 % interval. So an elasticity that allows both directions advises neither. price and cost are of one
// piece in the same unit; price must be above 0.
func BestPrice(price, cost float64, e Elasticity) PriceAdvice {
	best := PriceAdvice{Price: price}
	for step := -20; step <= 20; step++ {
		change := float64(step) / 100
		worst := math.Min(profitChange(price, cost, change, e.Low80), profitChange(price, cost, change, e.High80))
		if worst >= minProfitGain && worst > best.WorstProfitChange {
			best = PriceAdvice{
				Price: price * (1 + change), Change: change, UnitsChange: math.Pow(1+change, -e.Value) - 1,
				ProfitChange: profitChange(price, cost, change, e.Value), WorstProfitChange: worst,
			}
		}
	}
	return best
}

// profitChange is how profit changes with the price at a constant elasticity, as a share of today's revenue when today's
// price earns nothing, else of today's profit.
func profitChange(price, cost, change, elasticity float64) float64 {
	now := price - cost
	then := (price*(1+change) - cost) * math.Pow(1+change, -elasticity)
	if now <= 0 {
		return (then - now) / price
	}
	return then/now - 1
}
