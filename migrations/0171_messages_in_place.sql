-- A message is written twice: accepted, and ended. With a page half empty the second version finds room beside the first one, so that
-- the index keeps one entry and vacuum finds nothing to do in it. Versions in place: 1.00 of them instead of 0.33 (fillfactor 80);
-- the log 774 instead of 930 bytes a message, the database 40 µs instead of 43; rows with their indexes 314 bytes instead of 282.
alter table messages set (fillfactor = 46);
