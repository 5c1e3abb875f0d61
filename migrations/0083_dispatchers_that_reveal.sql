-- needs: 0.1.0
-- Whether this dispatcher puts a code in the place that an order's text keeps for it (order_secrets). Those of 0.1.0 do not
-- know of that and would send the place itself: while such a message is young, its account is left to others.
alter table dispatchers add column reveals boolean not null default false;
