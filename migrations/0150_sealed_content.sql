-- needs: 0.1.0
-- Whether this dispatcher opens texts that are sealed (src/content.ts). Those of 0.1.0 do not know of that and would send them as they
-- stand: where content was ever sealed they lease nothing.
alter table dispatchers add column opens boolean not null default false;
