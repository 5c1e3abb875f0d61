-- What may be on the air is in `unsure`: a chunk only ever holds messages that wait.
alter table chunks drop column kind;
alter table chunks drop column carrier_id;
alter table chunks drop column written_at;
