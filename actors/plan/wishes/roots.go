package wishes

import "math/big"

// root is the second or third root of a value, exact where there is one.
func (p *sumReader) root(v *big.Rat, n int) *big.Rat {
	if v.Sign() < 0 {
		p.bad = true
		return new(big.Rat)
	}
	if up, down := whole(v.Num(), n), whole(v.Denom(), n); up != nil && down != nil {
		return new(big.Rat).SetFrac(up, down)
	}
	p.rough = true
	const places = 40 // more than are told
	shift := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n*places)), nil)
	scaled := new(big.Int).Quo(new(big.Int).Mul(v.Num(), shift), v.Denom())
	return new(big.Rat).SetFrac(floorRoot(scaled, n), new(big.Int).Exp(big.NewInt(10), big.NewInt(places), nil))
}

// whole is the root of a number where that is a whole one; nil where it is none.
func whole(v *big.Int, n int) *big.Int {
	r := floorRoot(v, n)
	if new(big.Int).Exp(r, big.NewInt(int64(n)), nil).Cmp(v) != 0 {
		return nil
	}
	return r
}

// floorRoot is the greatest whole number whose power is not above a number, which is not below nought.
func floorRoot(v *big.Int, n int) *big.Int {
	if n == 2 {
		return new(big.Int).Sqrt(v)
	}
	low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(v.BitLen()/n+1))
	for one := big.NewInt(1); new(big.Int).Sub(high, low).Cmp(one) > 0; {
		mid := new(big.Int).Rsh(new(big.Int).Add(low, high), 1)
		if new(big.Int).Exp(mid, big.NewInt(int64(n)), nil).Cmp(v) <= 0 {
			low = mid
		} else {
			high = mid
		}
	}
	return low
}
