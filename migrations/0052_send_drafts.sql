-- A message being made in the panel: what the form holds, and its list of recipients in pieces. One list is one plan: judged
-- over all of its rows, then sent as all of its orders or none (order_ids says which, and makes a repeat harmless).
create table send_drafts (
  id bigint generated always as identity,
  account_id bigint not null references accounts (id),
  user_id bigint not null,
  -- Sender, text, time and so on, as the form holds them.
  head jsonb not null,
  -- File name, header, columns; {} without a list.
  shape jsonb not null default '{}',
  -- Counts uploads of lists: a piece of an older one is refused.
  list_no integer not null default 0,
  row_count integer not null default 0,
  -- Rises with every change; what is sent is what was shown.
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  sent_at timestamptz,
  order_ids bigint[],
  primary key (id, account_id)
);
create index send_drafts_of_account on send_drafts (account_id, updated_at desc);
create index send_drafts_by_age on send_drafts (updated_at);

-- Rows of cells as JSON, compressed: 10,000 rows of ten columns come to some 200 kB.
create table send_draft_pieces (
  draft_id bigint not null,
  account_id bigint not null,
  no integer not null,
  row_count integer not null,
  content bytea not null,
  primary key (draft_id, no, account_id),
  foreign key (draft_id, account_id) references send_drafts (id, account_id) on delete cascade
);
