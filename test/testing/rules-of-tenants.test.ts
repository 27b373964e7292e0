import test from 'ava';
import { throughBothDoors } from './_doors.js';

const json = (email: string, password: string): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ email, password }),
});

const form = (email: string, password: string): RequestInit => ({
  method: 'POST',
  headers: { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams({ email, password }).toString(),
});

test(
  'rules of a tenant are about its session, its login and its logout alone',
  throughBothDoors(async (t, { controls, ask }) => {
    const other = await controls.createTenant();
    for (const operation of ['GET /session', 'POST /login', 'POST /logout'] as const)
      controls.faults.add({ operation, tenant: 'dana@acme.test', code: 503 });
    const status = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).status;
    const acme = ['dana@acme.test', 'acme-password'] as const;
    const { email } = other.user;
    t.deepEqual([await status('/session'), await status('/session', {}, other.session)], [503, 200]);
    for (const posting of [json, form]) {
      t.is(await status('/login', posting(...acme), null), 503);
      t.true((await status('/login', posting(email, other.password), null)) < 400, posting.name);
      t.is(await status('/login', posting('nobody@acme.test', 'x'), null), 401);
    }
    const leave = { method: 'POST', headers: { Accept: 'application/json' } };
    t.deepEqual([await status('/logout', leave), await status('/logout', leave, other.session)], [503, 204]);
    t.like(controls.requests({ status: '503' }), [{ tenant: 'usr_acme', simulated: 'code=503 (fault-1)' }]);
  }),
);

test(
  'rules of a tenant are about a sign-up with its address, and a login as a demo account',
  throughBothDoors(async (t, { controls, ask }) => {
    const post = async (path: string, body: object) =>
      (await ask(path, { ...json('', ''), body: JSON.stringify(body) }, null)).status;
    const signUp = (email: string) =>
      post('/signup', { name: 'Pat', email, password: 'correct horse battery' });
    const usual = [await signUp('dana@acme.test'), await post('/login/demo', { account: 'usr_acme' })];
    t.deepEqual(usual, [401, 200]);
    for (const operation of ['POST /signup', 'POST /login/demo'] as const)
      controls.faults.add({ operation, tenant: 'usr_acme', code: 503 });
    t.deepEqual([await signUp('dana@acme.test'), await signUp('pat@new.test')], [503, 200]);
    t.is(await post('/login/demo', { account: 'usr_acme' }), 503);
  }),
);

test(
  'rules end with their tenant, and let go what they hold',
  throughBothDoors(async (t, { controls, ask }) => {
    const { faults } = controls;
    const { name, session } = await controls.createTenant();
    faults.add({ code: 503, times: 1, operation: 'listPrs' });
    faults.add({ tenant: name, kind: 'hold' });
    const held = ask('/api/v1/repos', {}, session);
    while (faults.list()[1]?.applied !== 1) await new Promise((resolve) => setImmediate(resolve));
    await controls.removeTenant(name);
    t.is((await held).status, 401);
    t.deepEqual(
      faults.list().map(({ id }) => id),
      ['fault-1'],
    );
  }),
);
