-- Where history is missing (a restore, a copy, a failover that lost its tail) ids that were handed out may be unknown here: the
-- sequences jump beyond them, once for each place that the data come to.
alter table data_home add column jumped_for text;
