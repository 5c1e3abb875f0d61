-- The chunk that each lane of a dispatcher is being prepared from at this moment, noted only after a dispatcher has died and
-- only for what was there then: if this one dies too, that chunk is the suspect, and not everything that it held.
alter table dispatchers add column working bigint[] not null default '{null,null}';
