// The advisory locks of a test's own database: pg_locks shows those of the whole server, which serves other files at the same time.
export const ownLocks = `(select * from pg_locks where locktype = 'advisory'
  and database = (select oid from pg_database where datname = current_database())) own`;
