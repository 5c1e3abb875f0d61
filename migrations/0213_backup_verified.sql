-- When the last backup was read again as a restore would, and what was wrong with it.
alter table backup_state add column verified_at timestamptz;
alter table backup_state add column damage text;
