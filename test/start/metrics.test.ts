import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { type SecurityEvent, securityEvents } from '../../src/accounts/account-flow.js';
import { createMetrics } from '../../src/start/metrics.js';
import { findProgram } from '../_find-program.js';
import { cookie, serve } from '../_server.js';
import { aStorage } from '../_storage.js';
import { acme } from '../koa/_world.js';
import { json } from '../pages/_browserless.js';

const docs = (name: string): Promise<string> =>
  readFile(fileURLToPath(new URL(`../../../docs/${name}`, import.meta.url)), 'utf8');

const events = Object.values(securityEvents).map(({ event }) => event);

/** A server whose metrics are read, and one of whose operations cannot reach the storage. */
const measured = async (t: ExecutionContext) => {
  const metrics = createMetrics('1.2.3', () => 0, events);
  const { observeRequests, observeCalls } = metrics;
  const onSecurityEvent = ({ _tag }: SecurityEvent) => metrics.onSecurityEvent(securityEvents[_tag].event);
  const storage = {
    ...aStorage([acme]),
    prs: async () => E.left({ _tag: 'StorageUnavailable' as const, cause: 'down' }),
  };
  const server = await serve(t, [], { storage, observeRequests, onSecurityEvent }, { observeCalls });
  return { ...server, metrics, text: async () => (await metrics.expose()).text };
};

/** The lines of a metric, without its name. */
const values = (text: string, name: string): readonly string[] =>
  text.split('\n').flatMap((line) => (line.startsWith(name) ? [line.slice(name.length)] : []));

test('requests are counted by operation, method and status, and unknown paths are one operation', async (t) => {
  const { ask, untilAccessed, text } = await measured(t);
  const session = cookie('acme-cookie');
  await ask('/api/v1/findings', session);
  await ask('/api/v1/findings');
  await ask('/api/v1/prs', session);
  for (let i = 0; i < 20; i += 1) await ask(`/made-up/${i}`, { method: i % 2 === 0 ? 'GET' : 'PURGE' });
  await untilAccessed(23);
  const exposed = await text();
  t.deepEqual(values(exposed, 'triage_http_requests_total').toSorted(), [
    '{operation="listFindings",method="GET",status="200"} 1',
    '{operation="listFindings",method="GET",status="401"} 1',
    '{operation="listPrs",method="GET",status="503"} 1',
    '{operation="other",method="GET",status="404"} 10',
    '{operation="other",method="other",status="404"} 10',
  ]);
  t.deepEqual(values(exposed, 'triage_http_request_duration_seconds_count').toSorted(), [
    '{operation="listFindings"} 2',
    '{operation="listPrs"} 1',
    '{operation="other"} 20',
  ]);
  t.deepEqual(values(exposed, 'triage_http_requests_in_flight'), [' 0']);
});

test('calls of the storage and their errors are counted', async (t) => {
  const { ask, text } = await measured(t);
  await ask('/api/v1/findings', cookie('acme-cookie'));
  await ask('/api/v1/findings', cookie('unknown'));
  await ask('/api/v1/prs', cookie('acme-cookie'));
  const exposed = await text();
  t.deepEqual(values(exposed, 'triage_storage_call_duration_seconds_count').toSorted(), [
    '{call="findings"} 2',
    '{call="prs"} 1',
  ]);
  t.deepEqual(values(exposed, 'triage_storage_errors_total'), ['{call="prs",error="StorageUnavailable"} 1']);
});

test('security events and started sessions are counted', async (t) => {
  const { ask, text } = await measured(t);
  await ask('/login', json({ email: 'acme@test.test', password: 'wrong' }));
  await ask('/signup', json({ name: 'Ann', email: 'ann@new.test', password: 'correct horse battery' }));
  await ask('/login', { method: 'POST', headers: { Origin: 'https://elsewhere.test' } });
  const counted = values(await text(), 'triage_security_events_total').filter((line) => !line.endsWith(' 0'));
  t.deepEqual(counted, [
    '{event="login.failed"} 1',
    '{event="signup.succeeded"} 1',
    '{event="crosssite.refused"} 1',
  ]);
  t.deepEqual(values(await text(), 'triage_sessions_started_total'), [' 1']);
});

test('the version, connections, pools, caches and reloads are shown', async (t) => {
  const metrics = createMetrics('1.2.3', () => 0, events);
  metrics.watchConnections(() => 7);
  metrics.watchPool('database', () => ({ total: 5, idle: 3, waiting: 2 }));
  metrics.watchKeptAnswers(() => ({
    lookUps: new Map([['listFindings', { hits: 3, misses: 4 }]]),
    bytes: 500,
  }));
  metrics.onReload(false);
  await metrics.expose();
  const { text } = await metrics.expose();
  for (const line of [
    'triage_build_info{version="1.2.3"} 1',
    'triage_http_connections 7',
    'triage_database_connections{pool="database",state="idle"} 3',
    'triage_database_connections{pool="database",state="busy"} 2',
    'triage_database_waiting{pool="database"} 2',
    'triage_cache_lookups_total{operation="listFindings",result="hit"} 3',
    'triage_cache_lookups_total{operation="listFindings",result="miss"} 4',
    'triage_cache_bytes 500',
    'triage_fixture_reloads_total{outcome="success"} 0',
    'triage_fixture_reloads_total{outcome="failure"} 1',
  ]) {
    t.true(text.split('\n').includes(line), line);
  }
});

test('every metric of the documentation exists, and every other one is documented', async (t) => {
  const text = (await createMetrics('1.2.3', () => 0, events).expose()).text;
  const documented = new Set(
    (await docs('operations.md')).match(/`triage_\w+`/g)?.map((name) => name.slice(1, -1)),
  );
  for (const name of documented) t.true(text.includes(`# TYPE ${name} `), `operations.md: ${name}`);
  for (const [, name = ''] of text.matchAll(/^# TYPE (triage_(?!process_|nodejs_)\w+) /gm)) {
    t.true(documented.has(name), `operations.md does not explain ${name}`);
  }
});

test('names have the prefix and base units, and only counters end in _total', async (t) => {
  const text = (await createMetrics('1.2.3', () => 0, events).expose()).text;
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    t.true(name.startsWith('triage_'), name);
    t.notRegex(name, /_(?:milliseconds|ms|kilobytes|percent)\b/);
    t.is(name.endsWith('_total'), type === 'counter', name);
    t.regex(text, new RegExp(`^# HELP ${name} \\S`, 'm'));
  }
});

test('the dashboard is valid: each panel has queries, and no two panels overlap', async (t) => {
  const { panels } = Object(JSON.parse(await docs('grafana-dashboard.json')));
  const places = new Set<string>();
  for (const { title, targets, gridPos } of panels) {
    t.true(targets.length > 0, title);
    places.add(`${gridPos.x},${gridPos.y}`);
  }
  t.is(places.size, panels.length);
});

/** What `promtool` says about its input; null where it is not installed. */
const promtool = (words: readonly string[], input: string): string | null => {
  const program = findProgram(['/usr/bin/promtool', '/usr/local/bin/promtool']);
  if (program === null) return null;
  const { status, stdout, stderr } = spawnSync(program, words, { input, encoding: 'utf8' });
  return `${status}: ${stdout}${stderr}`;
};

test('promtool, where it is installed, accepts the metrics and the alert rules', async (t) => {
  const { text } = await measured(t);
  t.regex(promtool(['check', 'metrics'], await text()) ?? '0: ', /^0: $/);
  const file = fileURLToPath(new URL('../../../docs/alerts.yml', import.meta.url));
  t.regex(promtool(['check', 'rules', file], '') ?? '0: ', /^0: /);
});
