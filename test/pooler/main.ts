import { runWithProgram } from '../_run-with-program.js';
import { findPgbouncer } from './_pgbouncer.js';

runWithProgram(
  'Pooler tests',
  findPgbouncer(),
  'no pgbouncer found in the usual places. Install one, or name it in PGBOUNCER.',
  'pooler.ava.config.js',
);
