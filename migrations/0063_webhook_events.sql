-- Events of messages (accepted, delivered, undelivered) that the owner does not want posted; none by default.
alter table webhook_endpoints add column skipped text[] not null default '{}';
