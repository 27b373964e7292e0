import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { hostileServer } from '../client/_hostile.js';
import { directoryWith } from '../fixtures/_directory.js';
import { run } from './_cli.js';

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
