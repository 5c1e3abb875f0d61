-- Whether this dispatcher looks for receipts that another one has put into the inbox for it (src/dispatch/record/inbox.ts). Those of 0.1.0 do not.
alter table dispatchers add column takes_handed boolean not null default false;
