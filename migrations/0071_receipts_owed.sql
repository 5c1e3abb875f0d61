-- needs: 0.1.0
-- The most receipts that a carrier owed in a minute: parts that it took and whose message has no outcome. Counted once a minute.
alter table carrier_minutes add column owed bigint not null default 0;

-- Since when the figures of a link count: they begin with the process, or with the link where binds were moved. Null where a
-- program of the release before wrote the row.
alter table carrier_links add column counting_since timestamptz;
