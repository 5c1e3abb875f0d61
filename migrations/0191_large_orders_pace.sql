-- Of large orders a fifth of the account's rate is due at this time, however much its small orders have borrowed ahead (grant_messages).
alter table dispatch_clocks add column large_at timestamptz not null default '-infinity';
