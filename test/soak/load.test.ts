import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { listenProcess } from '../cli/_cli.js';
import { ask } from './_accounts.js';
import { amount, faultsIn, inLanes, pick, randomOf, unlimited, usageOf } from './_soak.js';

const seconds = amount('TRIAGE_SOAK_SECONDS', 10);
const lanes = 16;

const session = { Cookie: 'session=large-session' };
const token = { Authorization: 'Bearer large-token' };
const page = { ...session, Accept: 'text/html' };
const visitor = { Accept: 'text/html' };

type Request = readonly [path: string, headers: Readonly<Record<string, string>>, body?: string];

/** All operations and pages, a change, and what monitoring asks; `id` is that of a finding. */
const requestsFor = (id: string): readonly Request[] => [
  ...['', '?page=3&limit=100', '?severity=high&status=pending'].map(
    (query): Request => [`/api/v1/findings${query}`, session],
  ),
  ...[`/findings/${id}`, '/repos', '/prs', '/prs?status=open&limit=100'].map(
    (path): Request => [`/api/v1${path}`, session],
  ),
  ['/api/v1/prs', token],
  ...['', '/repos', '/findings', `/findings/${id}`, '/prs'].map((path): Request => [`/explore${path}`, page]),
  ...['/', '/settings/api-tokens', '/settings/account', '/session'].map((path): Request => [path, page]),
  ...['/login', '/signup', '/docs', '/openapi.json', '/readyz', '/__admin/clock'].map(
    (path): Request => [path, visitor],
  ),
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
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      (error: unknown) => String(error),
    );
    answered += 1;
    const what = `${path}: ${outcome}`;
    if (outcome !== 200) unexpected.set(what, (unexpected.get(what) ?? 0) + 1);
  };
  for (const request of requests) await send(request);

  const until = performance.now() + seconds * 1000;
  const isOver = (): boolean => performance.now() > until || child.exitCode !== null;
  const memory: number[] = [];
  const files: number[] = [];
  const watching = (async () => {
    while (!isOver()) {
      await send(['/healthz', {}]);
      const usage = usageOf(child.pid);
      if (usage !== null) {
        memory.push(usage.memory);
        files.push(usage.files);
      }
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
  const tenth = (index: number): readonly number[] =>
    memory.slice((memory.length * index) / 10, (memory.length * (index + 1)) / 10);
  const [early, late] = [median(tenth(1)), median(tenth(9))].map(Math.round);
  t.log(
    `${answered} requests; memory ${early} MiB early and ${late} MiB late; ${Math.max(...files)} files open`,
  );
  // The connections of the clients come and go; a leak would leave far more behind.
  const half = files.length >> 1;
  t.true(Math.max(...files.slice(half)) <= Math.max(...files.slice(0, half + 1)) + 10, files.join(' '));
  if (memory.length === 0) t.log('memory and open files are not known on this system');
  else if (seconds < 60) t.log('whether memory grows is judged from 60 seconds on');
  else t.true(median(tenth(9)) <= median(tenth(1)) * 1.25 + 20, `MiB: ${memory.map(Math.round).join(' ')}`);
});
