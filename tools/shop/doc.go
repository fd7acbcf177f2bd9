// Package shop is a seller's shop in one SQLite file, and the tools with which a team of agents runs it: orders, logistics,
// after-sales, customers, stock, statistics, forecasts, prices, campaigns and keywords.
//
// [Open] fills a new file with a made-up shop in which there is something to find (seasons, price elasticities, channels that
// pay and channels that do not), or opens any file of the schema in schema.sql. [Shop.Tools] are the tools; README.md lists them.
//
// The decisions are pure functions of numbers to numbers, usable without a database: [Forecast], [FitElasticity],
// [BestPrice], [SplitBudget], [RankKeywords], [ParsePeriod].
package shop
