-- The shop's database. README.md says what is in it; Open refuses a file that lacks a table or a column of this page.
--
-- Units: money is an integer in fen (1/100 yuan). A moment is text "YYYY-MM-DD HH:MM:SS", a day "YYYY-MM-DD", both in the
-- shop's local time (UTC+8), so that text order is time order. "" or NULL in a nullable moment: not yet.

CREATE TABLE customers (
  customer_id   INTEGER PRIMARY KEY,
  name          TEXT NOT NULL,
  user_pin      TEXT NOT NULL UNIQUE,           -- the account
  phone         TEXT NOT NULL,                  -- 11 digits
  city          TEXT NOT NULL,
  address       TEXT NOT NULL,
  registered_at TEXT NOT NULL
);
CREATE INDEX customers_name ON customers (name);
CREATE INDEX customers_phone ON customers (phone);

CREATE TABLE products (
  sku_id     TEXT PRIMARY KEY,                  -- 14 digits
  name       TEXT NOT NULL,
  brand      TEXT NOT NULL,
  category   TEXT NOT NULL,
  price_fen  INTEGER NOT NULL CHECK (price_fen > 0),
  cost_fen   INTEGER NOT NULL CHECK (cost_fen >= 0),  -- what one piece costs the shop, freight and fees included
  stock      INTEGER NOT NULL CHECK (stock >= 0)      -- pieces
);
CREATE INDEX products_category ON products (category);

-- A price holds from its day until the day before the next row of the same product.
CREATE TABLE price_history (
  sku_id    TEXT NOT NULL REFERENCES products,
  from_day  TEXT NOT NULL,
  price_fen INTEGER NOT NULL CHECK (price_fen > 0),
  PRIMARY KEY (sku_id, from_day)
);

CREATE TABLE campaigns (
  campaign_id INTEGER PRIMARY KEY,
  name        TEXT NOT NULL,
  channel     TEXT NOT NULL,
  category    TEXT NOT NULL,                    -- the products that it advertises
  starts_on   TEXT NOT NULL,
  ends_on     TEXT NOT NULL,                    -- inclusive
  budget_fen  INTEGER NOT NULL CHECK (budget_fen >= 0)
);

CREATE TABLE campaign_days (
  campaign_id INTEGER NOT NULL REFERENCES campaigns,
  day         TEXT NOT NULL,
  impressions INTEGER NOT NULL,
  clicks      INTEGER NOT NULL,
  cost_fen    INTEGER NOT NULL,
  orders      INTEGER NOT NULL,                 -- orders with this campaign_id made that day
  sales_fen   INTEGER NOT NULL,                 -- their goods_fen
  PRIMARY KEY (campaign_id, day)
);

CREATE TABLE orders (
  order_id     TEXT PRIMARY KEY,                -- 12 digits
  customer_id  INTEGER NOT NULL REFERENCES customers,
  state        TEXT NOT NULL CHECK (state IN ('待付款', '待发货', '已发货', '已完成', '已取消')),
  ordered_at   TEXT NOT NULL,
  paid_at      TEXT,
  ship_by      TEXT,                            -- the promise: 48 hours after payment
  receiver     TEXT NOT NULL,
  phone        TEXT NOT NULL,
  address      TEXT NOT NULL,
  goods_fen    INTEGER NOT NULL,                -- sum of the items
  discount_fen INTEGER NOT NULL DEFAULT 0,
  freight_fen  INTEGER NOT NULL DEFAULT 0,
  total_fen    INTEGER NOT NULL CHECK (total_fen = goods_fen - discount_fen + freight_fen AND total_fen >= 0),
  note         TEXT NOT NULL DEFAULT '',        -- the seller's own
  campaign_id  INTEGER REFERENCES campaigns     -- what brought the buyer, if known
);
CREATE INDEX orders_customer ON orders (customer_id);
CREATE INDEX orders_time ON orders (ordered_at);
CREATE INDEX orders_state ON orders (state);

CREATE TABLE order_items (
  order_id  TEXT NOT NULL REFERENCES orders,
  sku_id    TEXT NOT NULL REFERENCES products,
  quantity  INTEGER NOT NULL CHECK (quantity > 0),
  price_fen INTEGER NOT NULL,                   -- of one piece
  PRIMARY KEY (order_id, sku_id)
);
CREATE INDEX order_items_sku ON order_items (sku_id);

CREATE TABLE shipments (
  waybill      TEXT PRIMARY KEY,
  order_id     TEXT NOT NULL UNIQUE REFERENCES orders,
  carrier      TEXT NOT NULL,
  shipped_at   TEXT NOT NULL,
  delivered_at TEXT,
  urged        INTEGER NOT NULL DEFAULT 0,      -- how often the carrier was urged
  urged_at     TEXT
);

CREATE TABLE tracking (
  waybill TEXT NOT NULL REFERENCES shipments,
  at      TEXT NOT NULL,
  place   TEXT NOT NULL,
  event   TEXT NOT NULL
);
CREATE INDEX tracking_waybill ON tracking (waybill, at);

CREATE TABLE invoices (
  order_id     TEXT PRIMARY KEY REFERENCES orders,
  title        TEXT NOT NULL,
  tax_no       TEXT NOT NULL DEFAULT '',        -- "" for a person
  amount_fen   INTEGER NOT NULL CHECK (amount_fen >= 0),
  state        TEXT NOT NULL CHECK (state IN ('待开', '已开')),
  invoice_no   TEXT UNIQUE,
  requested_at TEXT NOT NULL,
  issued_at    TEXT
);

CREATE TABLE refunds (
  refund_id  TEXT PRIMARY KEY,                  -- 13 digits
  order_id   TEXT NOT NULL REFERENCES orders,
  kind       TEXT NOT NULL CHECK (kind IN ('仅退款', '退货退款')),
  reason     TEXT NOT NULL,
  amount_fen INTEGER NOT NULL CHECK (amount_fen > 0),
  state      TEXT NOT NULL CHECK (state IN ('待处理', '已同意', '已拒绝')),
  asked_at   TEXT NOT NULL,
  decided_at TEXT,
  decision   TEXT NOT NULL DEFAULT ''           -- why
);
CREATE INDEX refunds_order ON refunds (order_id);

CREATE TABLE keywords (
  keyword         TEXT PRIMARY KEY,
  category        TEXT NOT NULL,
  searches        INTEGER NOT NULL,             -- on the platform, last 30 days
  growth          REAL NOT NULL,                -- of searches against the 30 days before: 0.1 is 10 % more
  competition     REAL NOT NULL CHECK (competition BETWEEN 0 AND 1),  -- share of the searches that other sellers bid on
  cpc_fen         INTEGER NOT NULL,             -- usual price of a click
  own_impressions INTEGER NOT NULL,             -- searches that showed a product of this shop, last 30 days
  own_clicks      INTEGER NOT NULL,
  own_orders      INTEGER NOT NULL
);

CREATE TABLE messages (
  message_id  INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers,
  order_id    TEXT REFERENCES orders,
  text        TEXT NOT NULL,
  sent_at     TEXT NOT NULL
);

-- What every change did, by the id of the call that asked for it: a repeated call finds its row and changes nothing.
CREATE TABLE ledger (
  call      TEXT PRIMARY KEY,
  tool      TEXT NOT NULL,
  arguments TEXT NOT NULL,                      -- JSON
  result    TEXT NOT NULL,                      -- JSON, what the first call answered
  at        TEXT NOT NULL
);

-- What counts as sold: items of paid orders that were not cancelled. Refunds are counted apart. CROSS JOIN makes SQLite
-- start from the items, which have an index by product; left to itself it walks all orders (10 ms instead of 1).
CREATE VIEW sales AS
  SELECT substr(o.ordered_at, 1, 10) AS day, o.order_id, i.sku_id, i.quantity, i.quantity * i.price_fen AS sales_fen
  FROM order_items i CROSS JOIN orders o USING (order_id)
  WHERE o.state IN ('待发货', '已发货', '已完成');
