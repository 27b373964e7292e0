import { join } from 'node:path';
import test from 'ava';
import { cookie } from '../../_server.js';
import { directoryWith } from '../../storage/memory/_directory.js';
import { listen, run } from '../_cli.js';

test('--scenario plays a scenario of the package, or a file', async (t) => {
  const directory = await directoryWith(t, {
    'repo.json': [
      {
        at: '0s',
        tenant: 'acme',
        patch: [{ op: 'replace', path: '/repos/0/owner', value: 'played' }],
      },
    ],
  });
  const { url } = await listen(t, ['--scenario', join(directory, 'repo.json')]);
  const repos = Object(await (await fetch(`${url}/api/v1/repos`, cookie('acme-session'))).json());
  t.true(repos.some(({ owner }: Record<string, string>) => owner === 'played'));
  const shipped = await listen(t, [], { TRIAGE_SCENARIO: 'acme' });
  t.is((await fetch(`${shipped.url}/api/v1/repos`, cookie('acme-session'))).status, 200);
});

test('a scenario with problems is refused with all of them, and so is one for a database', async (t) => {
  const directory = await directoryWith(t, {
    'steps.json': [{ at: 'soon', tenant: 'acme', patch: {} }, { at: '+1s' }],
    'unfit.json': [{ at: '+1s', tenant: 'acme', patch: { repos: { nope: null } } }],
  });
  const steps = join(directory, 'steps.json');
  const refused = await run(['--port', '0', '--scenario', steps]);
  t.is(refused.code, 1);
  t.regex(
    refused.err,
    /steps\.json:\d+:\d+ \/0\/at: expected a duration.*\n.*\/1\/patch: .*\nrefused: 2 problems\n$/,
  );
  const unfit = await run(['--port', '0', '--scenario', join(directory, 'unfit.json')]);
  t.regex(
    unfit.err,
    /^scenario \/0\/patch: \/repos\/nope: no entry of repos has the id "nope"\nrefused: 1 problem\n$/,
  );
  const missing = await run(['--port', '0', '--scenario', 'nope']);
  t.is(
    missing.err,
    'scenario: expected one of acme, a file such as ./nope.json, got "nope"\nrefused: 1 problem\n',
  );
  const database = await run(['--scenario', 'acme', '--database-url', 'postgres://127.0.0.1:1/x']);
  t.regex(database.err, /--scenario cannot be used with --database-url/);
});
