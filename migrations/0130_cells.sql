-- Cells: databases beside this one (the home), each with accounts of its own (docs/decisions/0012-cells.md). No row in `cells`:
-- there is one database, and none of this is asked.
create table cells (
  -- 0 is the home itself, without an address. Numbers of orders and messages that cell n gives begin at n * 10^12.
  id smallint primary key check (id between 0 and 9000),
  -- Sealed: it has a password in it.
  address bytea check ((address is null) = (id = 0)),
  -- How large a part of the new accounts it gets.
  weight integer not null default 1 check (weight between 0 and 1000),
  -- Gets no new accounts.
  draining boolean not null default false,
  added_at timestamptz not null default now()
);

-- Where an account is that does not live at home, or did not always. The home keeps its row in `accounts` (its name, its status
-- and who may see its panel from where) for the people who belong to it; everything else of it lies in its cell.
create table account_cells (
  account_id bigint primary key,
  cell smallint not null,
  -- While it is on its way.
  moving_to smallint,
  moved_at timestamptz,
  -- accounts.stamp of its cell when the home last looked.
  stamp bigint not null default 0
);
create index account_cells_by_cell on account_cells (cell, account_id);

-- By which name whom we are called: keys, logins of older clients and SMPP users of accounts that stand in account_cells.
create table cell_names (
  kind text not null check (kind in ('key', 'old-login', 'smpp')),
  name text not null,
  account_id bigint not null,
  primary key (kind, name)
);
create index cell_names_of_account on cell_names (account_id);

-- In a database that is a cell of another home: which one. It takes no part in anything by itself.
create table this_cell (
  one boolean primary key default true check (one),
  id smallint not null check (id between 1 and 9000),
  -- The home's system identifier and database, so that nobody makes a cell of two homes.
  home text not null
);
