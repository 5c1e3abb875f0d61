// PostgreSQL's driver, after what has to be so before it is loaded.
import './runtime-name.ts';
import pg from 'pg';

export default pg;
