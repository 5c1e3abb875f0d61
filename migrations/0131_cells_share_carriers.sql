-- Carriers of several cells: written at home, copied to the others, each with a part of the binds (docs/decisions/0012-cells.md).
alter table carriers
  -- Of the binds, those of this database; null: all of them.
  add column share smallint,
  -- In a cell: which version of the home's row this is a copy of.
  add column copied text;

-- At home: how many binds of a carrier each cell may have had last. What one gives up another gets only afterwards.
create table carrier_shares (
  carrier_id integer not null,
  cell smallint not null,
  binds smallint not null,
  primary key (carrier_id, cell)
);

-- Every other cell has said that it is not about a message of its own, or that nobody of its own is written to.
alter table receipts add column offered boolean not null default false;
alter table inbound_unrouted add column offered boolean not null default false;
