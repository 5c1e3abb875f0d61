-- A cell that was taken out keeps its row: its number is given to no other, for orders and messages that it made live on elsewhere.
alter table cells add column removed_at timestamptz;
