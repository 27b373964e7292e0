import { fileURLToPath } from 'node:url';
import test from 'ava';
import { cookie } from '../_server.js';
import { listen, run } from '../cli/_cli.js';
import { sameBytes, shippedTenants } from '../cli/_same-bytes.js';
import { connected, urlWith } from '../postgres/_postgres.js';
import { aRolePrefix } from '../postgres/_role.js';
import { withCitus } from './_citus.js';

const { cluster } = withCitus(test);

const shipped = fileURLToPath(new URL('../../../fixtures', import.meta.url));
const frozen = ['--now', '2026-11-20T12:00:00Z'];
const prefix = aRolePrefix();
const serving = `${prefix}_login`;

/** The URL of a database that the command line has filled, as a role that may only serve. */
const filled = async (name: string): Promise<string> => {
  const url = await cluster().database(name);
  for (const words of [
    ['db', 'migrate', '--citus', '--roles', '--role-prefix', prefix],
    ['db', 'import', shipped, ...frozen],
    // What is distributed stays so, and tenants can be replaced.
    ['db', 'migrate'],
    ['db', 'import', shipped, ...frozen, '--replace'],
  ]) {
    const { code, out, err } = await run([...words, '--database-url', url]);
    if (code !== 0) throw new Error(`${words.join(' ')}: ${out}${err}`);
  }
  await connected(url, (client) => client.query(`CREATE ROLE ${serving} LOGIN IN ROLE ${prefix}_serve`));
  return urlWith(url, { username: serving });
};

test.serial('a serving role is enough for the bytes of the fixtures, and for verify', async (t) => {
  const url = await filled('command_line');
  const [left, right] = [
    await listen(t, ['--fixtures', shipped, ...frozen]),
    await listen(t, [...frozen, '--database-url', url]),
  ];
  await sameBytes(t, left, right);
  const judged = await run([
    'verify',
    ...['--url', right.url, '--rate', '1000'],
    ...['--session', 'boundary-session', '--token', 'boundary-token'],
    ...['--other-session', 'large-session', '--other-token', 'large-token'],
    ...['--expired-session', 'acme-session-expired', '--expired-token', 'acme-token-expired'],
  ]);
  t.is(judged.code, 0, judged.out);
  t.regex(
    judged.out,
    /^must: \d{3} passed, 0 failed, 0 not exercised\ninfo: \d+ passed, 0 differ, 0 not exercised$/m,
  );
});

test.serial('serve starts while a worker is down, and its tenants alone get 503', async (t) => {
  const url = await cluster().database('one_down');
  for (const words of [
    ['db', 'migrate', '--citus'],
    ['db', 'import', shipped],
  ])
    t.is((await run([...words, '--database-url', url])).code, 0);
  await cluster().kill(2);
  const server = await listen(t, ['--database-url', url]);
  const statuses = () =>
    Promise.all(
      shippedTenants.map(
        async (tenant) => (await fetch(`${server.url}/api/v1/findings`, cookie(`${tenant}-session`))).status,
      ),
    );
  t.deepEqual([...new Set(await statuses())].sort(), [200, 503]);
  const readiness = () => fetch(`${server.url}/readyz`);
  let ready = await readiness();
  // On a busy machine, the other worker may take longer to answer than readiness waits.
  while (ready.status !== 200) ready = await readiness();
  t.regex(await ready.text(), /worker/);
  await cluster().restart(2);
  while ((await statuses()).includes(503)) await new Promise((resolve) => setTimeout(resolve, 100));
  t.deepEqual([...new Set(await statuses())], [200]);
});
