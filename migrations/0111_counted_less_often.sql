-- needs: 0.1.0
-- Counted by the server only when half of their rows have changed: with the usual share a busy hour counts each of them every ten seconds, a
-- tenth of what the database does, and statements of the hot path do not choose by what is counted (docs/decisions/0006). Tables that grow are
-- counted by dispatchers besides (src/db/statistics.ts).
alter table orders set (autovacuum_analyze_scale_factor = 0.5);
alter table messages set (autovacuum_analyze_scale_factor = 0.5);
alter table ledger_entries set (autovacuum_analyze_scale_factor = 0.5);
alter table message_numbers set (autovacuum_analyze_scale_factor = 0.5);
alter table submissions set (autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 1000);
alter table chunks set (autovacuum_analyze_scale_factor = 0.5, autovacuum_analyze_threshold = 1000);
alter table smpp_outbox set (autovacuum_analyze_scale_factor = 0.5);
