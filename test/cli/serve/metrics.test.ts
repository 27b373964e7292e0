import { readFile } from 'node:fs/promises';
import test from 'ava';
import { raw } from '../../_raw.js';
import { cookie, serveWith } from '../../_server.js';
import { withPostgres } from '../../postgres/_postgres.js';
import { listen, type Running, run } from '../_cli.js';

const { database } = withPostgres(test);

const metricsUrl = ({ err }: Running): string => /^metrics on (\S+)$/m.exec(err())?.[1] ?? '';

test('--metrics-port serves metrics on a port of its own, and nothing else', async (t) => {
  const server = await listen(t, ['--metrics-port', '0']);
  const url = metricsUrl(server);
  await (await fetch(`${server.url}/api/v1/repos`, cookie('acme-session'))).text();
  const response = await fetch(url);
  t.is(response.status, 200);
  t.regex(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const text = await response.text();
  t.regex(text, /^triage_build_info\{version="0\.0\.0"\} 1$/m);
  t.regex(text, /^triage_storage_call_duration_seconds_count\{call="repos"\} 1$/m);
  t.regex(text, /^triage_http_connections [1-9]/m);
  t.is((await fetch(url, { method: 'HEAD' })).status, 200);
  t.is((await fetch(url, { method: 'POST' })).status, 405);
  t.is((await fetch(new URL('/api/v1/repos', url), cookie('acme-session'))).status, 404);
  t.is((await fetch(`${server.url}/metrics`)).status, 404);
  t.is((await server.end('SIGTERM')).code, 0);
  await t.throwsAsync(fetch(url));
});

/** The names of all samples: a histogram has three. */
const exposedNames = (text: string): ReadonlySet<string> =>
  new Set(
    Array.from(text.matchAll(/^# TYPE (\w+) (\w+)$/gm)).flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );

test('every metric of the dashboard and of the alert rules exists, with a database and without', async (t) => {
  for (const settings of [[], ['--database-url', await database(t)]]) {
    const server = await listen(t, ['--metrics-port', '0', ...settings]);
    const names = exposedNames(await (await fetch(metricsUrl(server))).text());
    for (const file of ['grafana-dashboard.json', 'alerts.yml']) {
      const page = await readFile(new URL(`../../../../docs/${file}`, import.meta.url), 'utf8');
      const used = new Set(page.match(/\btriage_\w+/g));
      t.true(used.size > 5, file);
      for (const name of used) t.true(names.has(name), `${file}: ${name}`);
    }
  }
});

test('metrics on a loopback address are for this machine and --allowed-host only', async (t) => {
  const server = await listen(t, ['--metrics-port', '0', '--allowed-host', 'triage.example.com']);
  const status = async (host: string): Promise<string> =>
    (
      await raw(metricsUrl(server), `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    ).slice(9, 12);
  for (const host of ['localhost', '127.0.0.1:9464', 'triage.example.com']) t.is(await status(host), '200');
  t.is(await status('evil.test'), '421');
});

test('a metrics port that is in use is an error that names the option', async (t) => {
  const { port } = new URL(await serveWith(t, () => {}));
  const { code, err } = await run(['serve', '--port', '0', '--metrics-port', port]);
  t.is(code, 1);
  t.regex(err, /^metrics: port \d+ on 127\.0\.0\.1 is in use: .* choose a port with --metrics-port/);
});
