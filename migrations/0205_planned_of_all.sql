-- What all accounts planned, by the time at which it leaves: the staff's figure of the day counts it there.
create index orders_planned_all on orders (send_at) where send_at > submit_at;
