import test from 'ava';
import { acme } from '../../../src/storage/conformance/sample-tenants.js';
import { cookie } from '../../_server.js';
import { fill } from '../../storage/postgres/_fill.js';
import { connected, withPostgres } from '../../storage/postgres/_postgres.js';
import { proxyTo } from '../../storage/postgres/_proxy.js';
import { listen, run } from '../_cli.js';

const { database } = withPostgres(test);

const leftOut = 'the replica is left out; the primary answers instead';
const now = ['--now', '2026-11-20T12:00:00Z'];

test('serve starts without its replica, is ready, and reads it once it is there', async (t) => {
  const [primary, replica] = [await database(t), await database(t)];
  await connected(primary, (client) => fill(client, [acme]));
  await connected(replica, async (client) => {
    await fill(client, [acme]);
    await client.query("UPDATE triage.repos SET owner = 'seen on the replica'");
  });
  const proxy = await proxyTo(t, replica);
  await proxy.down();
  const words = ['--database-url', primary, '--read-database-url', proxy.url, '--max-replica-lag', '1000'];
  const server = await listen(t, [...now, ...words, '--database-timeout', '60000']);
  const repos = async (): Promise<string> =>
    (await fetch(`${server.url}/api/v1/repos`, cookie('acme-cookie'))).text();
  await server.shows(leftOut);
  t.is((await fetch(`${server.url}/readyz`)).status, 200);
  t.regex(await repos(), /^\[\{/);
  t.notRegex(await repos(), /seen on the replica/);

  await proxy.up();
  await server.shows('the replica is read again');
  t.regex(await repos(), /seen on the replica/);

  await proxy.down();
  t.notRegex(await repos(), /seen on the replica/);
  t.is((await fetch(`${server.url}/readyz`)).status, 200);
});

test('with --no-replica-fallback, serve is not ready without its replica, and reads get 503', async (t) => {
  const [primary, replica] = [await database(t), await database(t)];
  await connected(primary, (client) => fill(client, [acme]));
  const proxy = await proxyTo(t, replica);
  await proxy.down();
  const words = ['--database-url', primary, '--read-database-url', proxy.url, '--no-replica-fallback'];
  const server = await listen(t, [...now, ...words, '--database-timeout', '60000']);
  await server.shows('waiting for the database');
  t.is((await fetch(`${server.url}/readyz`)).status, 503);
  t.is((await fetch(`${server.url}/api/v1/repos`, cookie('acme-cookie'))).status, 503);
  await proxy.up();
  await server.shows('connected to the database');
  t.is((await fetch(`${server.url}/readyz`)).status, 200);
  t.notRegex(server.err(), new RegExp(leftOut));
});

test('a replica that refuses the user, or a lag that cannot be kept, is an error at the start', async (t) => {
  const url = await database(t);
  const missing = Object.assign(new URL(url), { pathname: '/triage_is_not_there' }).href;
  const refused = await run(['serve', '--database-url', url, '--read-database-url', missing]);
  t.is(refused.code, 1);
  t.regex(refused.err, /database "triage_is_not_there" does not exist/);
  const short = await run(['serve', '--database-url', url, '--max-replica-lag', '999']);
  t.deepEqual(
    [short.code, short.err],
    [2, '--max-replica-lag: expected milliseconds from 1000 to 86400000, got "999"\n'],
  );
});
