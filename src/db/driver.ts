// PostgreSQL's driver, loaded after runtime-name.ts.
import './runtime-name.ts';
import pg from 'pg';

export default pg;
