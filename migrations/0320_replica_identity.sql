-- Tables without a primary key name all of their columns in the log of changes: a Citus cluster moves a schema by logical replication and refuses
-- one whose tables have no identity. A schema that was distributed before submits existed (0185) could not be moved or rebalanced.
alter table submits_0 replica identity full;
alter table submits_1 replica identity full;
alter table submits_2 replica identity full;
alter table submits_3 replica identity full;
alter table submits_4 replica identity full;
alter table submits_5 replica identity full;
alter table submits_6 replica identity full;
alter table submits_7 replica identity full;
alter table submits_8 replica identity full;
alter table submits_9 replica identity full;
alter table submits_10 replica identity full;
alter table submits_11 replica identity full;
