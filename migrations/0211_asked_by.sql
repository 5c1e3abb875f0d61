-- A code counts in the browser that asked for it: its wrong tries are that browser's, and nobody else's use it up.
alter table sms_codes add column asker_digest bytea not null default '\x';
