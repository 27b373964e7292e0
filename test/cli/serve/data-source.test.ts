import test from 'ava';
import { nameOf, withPostgres } from '../../postgres/_postgres.js';
import { listen } from '../_cli.js';

const { database } = withPostgres(test);

const firstLine = (text: string): string => text.split('\n')[0] ?? '';

/** The fixtures are served as if nothing named them. */
const shipped = /^triage-api: mock data from .*fixtures, not the real service/;

test('DATABASE_URL is never used: one line at the start of serve names it', async (t) => {
  const own = await database(t);
  const note =
    'DATABASE_URL is not used: it may belong to another program; set TRIAGE_DATABASE_URL for triage-api';
  const served = await listen(t, [], { DATABASE_URL: own });
  const [first = '', second] = served.err().split('\n');
  t.regex(first, shipped);
  t.is(second, note);
  const quiet = await listen(t, ['--quiet'], { DATABASE_URL: 'mysql://who:top-secret@other/x' }, note);
  t.true(quiet.err().includes(note));
  t.false(quiet.err().includes('top-secret'));
  const meant = await listen(t, [], { TRIAGE_DATABASE_URL: own, DATABASE_URL: 'mysql://other/x' });
  t.is(firstLine(meant.err()), `triage-api: data from the database ${nameOf(own)} (TRIAGE_DATABASE_URL)`);
  t.false(meant.err().includes(note));
});

test('variables that other programs read are ignored where they make no sense, after the first line', async (t) => {
  const served = await listen(t, [], { HOST: 'my-laptop', LOG_LEVEL: 'verbose' });
  const [first = '', ...others] = served.err().split('\n');
  t.regex(first, shipped);
  t.deepEqual(others.slice(0, 2), [
    'HOST is ignored: expected an IP address or localhost, got "my-laptop"; set TRIAGE_HOST for triage-api',
    'LOG_LEVEL is ignored: expected one of debug, info, warn, error, silent, got "verbose"; set TRIAGE_LOG_LEVEL for triage-api',
  ]);
  t.regex(served.url, /^http:\/\/127\.0\.0\.1:/);
});
