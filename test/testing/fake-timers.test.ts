import { mock } from 'node:test';
import test from 'ava';
import type { TriageApi } from '../../src/testing/server.js';
import { started } from './_start.js';

const turn = setImmediate;

/** Moves the timers of the test on until a promise is settled. */
const afterTime = async <A>(promise: Promise<A>): Promise<A> => {
  let isOver = false;
  const end = (): void => {
    isOver = true;
  };
  promise.then(end, end);
  for (; !isOver; await new Promise((resolve) => turn(resolve))) mock.timers.tick(100);
  return promise;
};

const repos = (api: TriageApi, prefer = 'code=200') =>
  api.fetch('/api/v1/repos', { headers: { Prefer: prefer } });

test.serial(
  'a server goes on and stops while a test replaces all timers, which end what is simulated',
  async (t) => {
    const seen: number[] = [];
    const onRequest = ({ status }: Readonly<{ status: number }>): unknown => seen.push(status);
    const api = await started(t, { now: undefined, rateLimit: '6/min', onRequest });
    mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'setImmediate', 'Date'], now: Date.now() });
    t.teardown(() => mock.timers.reset());
    for (const path of ['/api/v1/repos', '/explore/findings', '/readyz'])
      t.is((await api.fetch(path, { tenant: 'large' })).status, 200, path);
    const tooLong = {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: 'x'.repeat(1_000_000),
    };
    t.is((await api.fetch('/login', tooLong)).status, 413);
    const begin = Date.now();
    t.is((await afterTime(repos(api, 'delay=60000'))).status, 200);
    t.true(Date.now() - begin >= 60_000);
    // All parts that are due come at once, however the time has passed.
    const slow = await afterTime(repos(api, 'bytesPerSecond=100'));
    mock.timers.tick(600_000);
    t.true(Array.isArray(await slow.json()));
    for (const status of [200, 200, 200, 200, 200, 200, 429]) t.is((await repos(api)).status, status);
    mock.timers.tick(60_000);
    t.is((await repos(api)).status, 200);
    mock.timers.tick(400 * 24 * 3_600_000);
    const late = await repos(api);
    t.is(late.status, 401);
    const now = new Date().toISOString();
    const warning = late.headers.get('X-Triage-Warning') ?? '';
    t.regex(warning, new RegExp(`^the session ended on 20\\S+; the clock of this server says ${now}$`));
    t.is((await api.fetch('/session')).headers.get('X-Triage-Warning'), warning);
    t.is(api.requests().at(-1)?.warning, warning);
    await api.clock.set(new Date());
    t.is((await repos(api)).status, 200);
    await api.stop();
    t.is(seen[0], 200);
  },
);
