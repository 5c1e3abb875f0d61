-- Chunks of up to so many messages are written in one turn. The same in src/sending (chunk-run.ts); shared-rules.test.ts compares.
create or replace function small_chunk_1() returns integer language sql immutable as $$ select 25 $$;
