-- stops all nodes
-- What only 0.1.0 wrote, or was told.
drop table traffic_hours;
drop table sign_in_failures;
drop table password_resets;
drop table counters;
alter table dispatchers drop column reveals;
alter table dispatchers drop column opens;
