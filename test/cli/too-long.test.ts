import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { hostileServer } from '../client/_hostile.js';
import { directoryWith } from '../fixtures/_directory.js';
import { listen, run } from './_cli.js';

for (const command of ['verify', 'diff', 'record'] as const) {
  test(`${command}: a response longer than --max-body ends the run with a line that says so`, async (t) => {
    const directory = await directoryWith(t, {});
    const { url, state } = await hostileServer(t, 'an endless body');
    const words = {
      verify: ['--url', url, '--token', 'good-token'],
      diff: ['--left', url, '--right', url],
      record: [join(directory, 'x.json'), '--url', url],
    };
    const given = ['--session', 'good-session', '--max-body', '100kb'];
    const { code, err } = await run([command, ...words[command], ...given]);
    t.is(code, 1);
    t.regex(err, /the response to GET \/api\/v1\/\S+ is longer than 100kb \(--max-body\)/);
    t.is(state.requests, 1, 'no more is requested');
    t.deepEqual(await readdir(directory), []);
  });
}

test('a response that is nested deeply is no JSON', async (t) => {
  const directory = await directoryWith(t, {});
  const { url } = await hostileServer(t, 'a body that is nested deeply');
  const good = await listen(t, ['--log-level', 'silent']);
  const words = ['--session', 'acme-session'];
  const recorded = await run(['record', join(directory, 'x.json'), '--url', url, ...words]);
  t.is(recorded.code, 1);
  t.regex(recorded.err, /: the body is nested more than 500 levels deep\n/);
  t.deepEqual(await readdir(directory), []);
  const verified = await run(['verify', '--url', url, '--token', 'acme-token', ...words]);
  t.is(verified.code, 2);
  t.regex(verified.err, /^--url: no response looks like the API v1 \(200\); /);
  const compared = await run(['diff', '--left', good.url, '--right', url, '--max-requests', '8', ...words]);
  t.is(compared.code, 1);
  t.regex(
    compared.out,
    /^ +shape: \d responses, such .. JSON on the left and nested more than 500 levels deep on the right in /m,
  );
});
