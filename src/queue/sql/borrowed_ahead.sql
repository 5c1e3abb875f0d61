-- How far ahead of their account's rate small orders may be sent. The same in src/sending (account-pace.ts); shared-rules.test.ts compares.
create or replace function borrowed_ahead() returns interval language sql immutable as $$ select interval '1 second' $$;
