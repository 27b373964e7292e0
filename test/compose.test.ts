import { execFile } from 'node:child_process';
import { chmod, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { serveOptions } from '../src/cli/serve/serve-options.js';
import { variableOf } from '../src/cli/settings/option.js';
import { composed, madeSecrets, root } from './_compose.js';

/** An image by tag, for people, and by digest, for the build. */
const pinned = /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/;

test('every service is restricted, and none gets a secret in its environment', async (t) => {
  const { services, secrets } = await composed();
  for (const [name, service] of Object.entries(services)) {
    t.true(service.image === undefined ? service.build === '.' : pinned.test(service.image), name);
    for (const [variable, value] of Object.entries(service.environment)) {
      t.notRegex(`${variable}=${value}`, /password=|URL=|:\/\//i, name);
      const file = /^\/run\/secrets\/(\w+)$/.exec(value)?.[1];
      t.is(variable.endsWith('_FILE'), file !== undefined, variable);
      if (file !== undefined) t.true(service.secrets.includes(file), variable);
    }
    for (const secret of service.secrets) t.is(secrets[secret]?.file, `./secrets/${secret}`);
    t.deepEqual(service.cap_add ?? [], name === 'database' ? service.cap_add : [], name);
    for (const port of service.ports ?? []) t.regex(port, /^127\.0\.0\.1:/, name);
  }
});

test('the API has the secret of its own role only, and time to drain and finish', async (t) => {
  const { api } = (await composed()).services;
  t.deepEqual(api.secrets, ['app_url']);
  t.true(api.init);
  const known = Object.values(serveOptions).map(variableOf);
  for (const variable of Object.keys(api.environment)) {
    t.true(known.includes(variable.replace(/_FILE$/, '')), variable);
  }
  const drain = Number(api.environment.TRIAGE_DRAIN);
  t.true(drain > 0);
  t.true(Number(/^(\d+)s$/.exec(api.stop_grace_period ?? '')?.[1]) * 1000 > drain + 10_000);
});

test('the base of the image is pinned, and nothing runs in the last stage, so one machine builds all platforms', async (t) => {
  const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8');
  const [first = '', last = '', ...more] = dockerfile.split(/^FROM /m).slice(1);
  t.deepEqual(more, []);
  const [, base = ''] = /^--platform=\$BUILDPLATFORM (\S+) AS build\n/.exec(first) ?? [];
  t.regex(base, pinned);
  t.true(last.startsWith(`${base}\n`));
  t.regex(first, /^RUN /m);
  t.notRegex(last, /^RUN /m);
});

test('the secrets are random, readable in containers, closed to other users, and kept', async (t) => {
  const [first, second] = [await madeSecrets(t), await madeSecrets(t)];
  const names = Object.keys((await composed()).secrets);
  const contents = (directory: string) =>
    Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
  const before = await contents(first);
  t.is(new Set([...before, ...(await contents(second))]).size, 2 * names.length);
  await promisify(execFile)('sh', [join(dirname(first), 'compose/make-secrets.sh')]);
  t.deepEqual(await contents(first), before);
  t.is((await stat(first)).mode & 0o777, 0o700);
  for (const name of names) t.is((await stat(join(first, name))).mode & 0o777, 0o644, name);
  for (const text of before) t.regex(text, /[0-9a-f]{48}/);
  await chmod(first, 0o700);
});
