import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { amount } from '../_runs.js';
import { listenProcess } from '../cli/_cli.js';
import { ask } from './_accounts.js';
import { faultsIn, inLanes, pick, randomOf, type Usage, unlimited, usageOf } from './_soak.js';

const seconds = amount('TEST_SECONDS', 10);
const lanes = 16;

const session = { Cookie: 'session=large-session' };
const token = { Authorization: 'Bearer large-token' };
const visitor = { Accept: 'text/html' };

type Request = readonly [path: string, headers: Readonly<Record<string, string>>, body?: string];

const withHeaders = (headers: Request[1], paths: string): readonly Request[] =>
  paths.split(' ').map((path) => [path, headers]);

/** All operations and pages, a change, and what monitoring asks; `id` is that of a finding. */
const requestsFor = (id: string): readonly Request[] => [
  ...withHeaders(session, `/api/v1/repos /api/v1/findings /api/v1/findings/${id} /api/v1/prs /session`),
  ...withHeaders(session, '/api/v1/findings?page=3&limit=100 /api/v1/findings?severity=high&status=pending'),
  ...withHeaders(token, '/api/v1/prs /api/v1/prs?status=open&limit=100'),
  ...withHeaders({ ...session, ...visitor }, '/ /settings/api-tokens /settings/account /explore'),
  ...withHeaders({ ...session, ...visitor }, `/explore/repos /explore/findings/${id} /explore/prs`),
  ...withHeaders(visitor, '/login /signup /docs /openapi.json /readyz /__admin/clock'),
  ['/login/demo', { 'Content-Type': 'application/json' }, '{"account":"usr_empty"}'],
];

const median = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1] ?? 0;

test(`for ${seconds} s all operations and pages are answered, and memory and open files stay as they are`, async (t) => {
  t.timeout(seconds * 1000 + 600_000);
  const randomFor = randomOf(t);
  const { url, child, ...server } = await listenProcess(t, unlimited);
  const { body } = await ask(url, '/api/v1/findings', { session: 'large-session' });
  const requests = requestsFor(Object(body).items[0].id);
  const unexpected = new Map<string, number>();
  let answered = 0;
  const send = async ([path, headers, text]: Request): Promise<void> => {
    const sent = text === undefined ? {} : { method: 'POST', body: text };
    const outcome = await fetch(`${url}${path}`, { headers, redirect: 'manual', ...sent }).then(
      (response) => response.arrayBuffer().then(() => response.status),
      String,
    );
    answered += 1;
    const what = `${path}: ${outcome}`;
    if (outcome !== 200) unexpected.set(what, (unexpected.get(what) ?? 0) + 1);
  };
  for (const request of requests) await send(request);

  const until = performance.now() + seconds * 1000;
  const isOver = (): boolean => performance.now() > until || child.exitCode !== null;
  const usage: Usage[] = [];
  const watching = (async () => {
    while (!isOver()) {
      await send(['/healthz', {}]);
      usage.push(...usageOf(child.pid));
      await delay(200);
    }
  })();
  await inLanes(lanes, async (lane) => {
    const random = randomFor(lane);
    while (!isOver()) await send(pick(random, requests) ?? ['/', {}]);
  });
  await watching;

  t.deepEqual([...unexpected], [], 'anything but 200');
  t.is(child.exitCode, null);
  t.deepEqual(faultsIn(server), []);
  t.is((await fetch(`${url}/healthz`)).status, 200);
  const memory = usage.map((each) => each.memory);
  const files = usage.map((each) => each.files);
  const [early = 0, late = 0] = [1, 9].map((tenth) =>
    median(memory.slice((memory.length * tenth) / 10, (memory.length * (tenth + 1)) / 10)),
  );
  t.log(`${answered} requests; memory ${early.toFixed()} MiB early, ${late.toFixed()} MiB late`);
  // The connections of the clients come and go; a leak would leave far more behind.
  const half = files.length >> 1;
  t.true(Math.max(...files.slice(half)) <= Math.max(...files.slice(0, half + 1)) + 10, files.join(' '));
  if (memory.length === 0) t.log('NOT JUDGED: memory and open files, which this system does not tell');
  else if (seconds < 60) t.log('NOT JUDGED: the growth of memory, which takes TEST_SECONDS=60');
  else t.true(late <= early * 1.25 + 20, `MiB: ${memory.map(Math.round).join(' ')}`);
});
