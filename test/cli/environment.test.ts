import test from 'ava';
import { listen, run } from './_cli.js';

test('every command warns about unknown variables, and suggests the name that was probably meant', async (t) => {
  const environment = {
    TRIAGE_STRIKT: 'true',
    TRIAGE_PROT: '4001',
    TRIAGE_DATABASE_URL_FIEL: '/x',
    TRIAGE_SOMETHING_ELSE: '1',
    TRIAGE_X: '1',
    TRIAGE_STRICT: 'false',
    PATH: '/bin',
  };
  const warnings = [
    'warning: no setting is called TRIAGE_DATABASE_URL_FIEL; did you mean TRIAGE_DATABASE_URL_FILE?',
    'warning: no setting is called TRIAGE_PROT; did you mean TRIAGE_PORT?',
    'warning: no setting is called TRIAGE_SOMETHING_ELSE',
    'warning: no setting is called TRIAGE_STRIKT; did you mean TRIAGE_STRICT?',
    'warning: no setting is called TRIAGE_X',
  ].join('\n');
  const served = await listen(t, [], environment);
  t.true(served.err().startsWith(`${warnings}\n`), served.err());
  const checked = await run(['check', 'fixtures'], environment);
  t.deepEqual([checked.code, checked.err], [0, `${warnings}\n`]);
  t.is((await run(['--version'], environment)).err, '');
});

test('a variable of another command is no mistake', async (t) => {
  const environment = { TRIAGE_JUNIT: 'x', TRIAGE_SESSION_FILE: 'x', TRIAGE_DRAIN: '1', TRIAGE_LIVE: 'true' };
  t.is((await run(['check', 'fixtures'], environment)).err, '');
});
