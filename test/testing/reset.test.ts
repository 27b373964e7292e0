import test from 'ava';
import { connectControls } from '../../src/testing/connect-controls.js';
import type { Controls, GivenFixtures } from '../../src/testing/fetch-handler.js';
import { type Door, throughBothDoors } from './_doors.js';
import { now } from './_pair.js';
import { started } from './_start.js';

const nothing = { rules: 0, requests: 0, tenants: 0, clock: false, data: false, credentials: false };

/** Simulates something of each kind. Resolves to the response that a rule holds, unsettled. */
const simulateAll = async (controls: Controls<GivenFixtures>, ask: Door['ask']) => {
  await controls.createTenant();
  await controls.patch('findings', 'fix_0001', { status: 'resolved' });
  await controls.clock.advance('1h');
  controls.setStorage('broken');
  controls.setStorage('fine');
  controls.faults.add({ operation: 'listPrs', kind: 'hold' });
  const held = ask('/api/v1/prs');
  while (controls.faults.list()[0]?.applied !== 1) await new Promise((resolve) => setImmediate(resolve));
  await ask('/api/v1/repos');
  await controls.expireSession();
  return { held };
};

const all = { rules: 1, requests: 1, tenants: 1, clock: true, data: true, credentials: true };

test(
  'one reset ends all that is simulated, and tells what it was; accounts stay',
  throughBothDoors(async (t, { controls, ask }) => {
    const account = { name: 'Pat', email: 'pat@new.test', password: 'correct horse battery' };
    const signUp = await ask(
      '/signup',
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(account),
      },
      null,
    );
    const [, own = ''] = /session=([^;]+)/.exec(signUp.headers.get('set-cookie') ?? '') ?? [];
    t.deepEqual(await controls.reset(), { ...nothing, requests: 1 });
    const { held } = await simulateAll(controls, ask);
    t.deepEqual(await controls.reset(), all);
    t.is((await held).status, 200);
    const answer = await ask('/api/v1/findings/fix_0001');
    t.deepEqual([answer.headers.get('x-triage-simulated'), controls.clock.now()], [null, now]);
    t.is(Object(await answer.json()).status, 'drafting');
    t.is((await ask('/session', {}, own)).status, 200);
    t.like(await controls.reset(), { rules: 0, tenants: 0, clock: false, data: false });
    t.deepEqual(controls.requests(), []);
  }),
);

test(
  'the reset of a tenant ends what is about it alone',
  throughBothDoors(async (t, { controls, ask }) => {
    const { name, session, clock } = await controls.createTenant();
    controls.faults.add({ tenant: name, code: 503 });
    controls.faults.add({ operation: 'listPrs', code: 503 });
    await controls.patch('findings', 'fix_0001', { status: 'resolved' }, name);
    await clock.advance('1h');
    await controls.expireSession(name);
    t.deepEqual(await controls.reset(name), { ...all, requests: 0, tenants: 0 });
    t.deepEqual(await controls.reset(name), { ...nothing, requests: 0 });
    const { status, headers } = await ask('/api/v1/findings/fix_0001', {}, session);
    t.deepEqual([status, headers.get('x-triage-simulated')], [200, null]);
    t.is((await ask('/api/v1/prs')).status, 503);
  }),
);

test('over HTTP and on the page, a reset is the same', async (t) => {
  const api = await started(t);
  const askOf = (path: string) =>
    fetch(`${api.url}${path}`, { headers: { Cookie: `session=${api.session}` } });
  for (const reset of [
    async () => t.deepEqual(await connectControls({ url: api.url }).reset(), all),
    async () => {
      const body = new URLSearchParams({ control: 'reset' });
      const init = { method: 'POST', headers: { Origin: api.url }, body, redirect: 'manual' } as const;
      t.is((await fetch(`${api.url}/explore/controls`, init)).status, 303);
    },
  ]) {
    const { held } = await simulateAll(api, askOf);
    await reset();
    t.is((await held).status, 200);
    t.like(await api.reset(), { rules: 0, tenants: 0, clock: false, data: false });
  }
});
