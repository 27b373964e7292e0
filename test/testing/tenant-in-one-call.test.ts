import test from 'ava';
import { connectControls, type TenantOptions } from '../../src/testing/connect-controls.js';
import { TriageApiError } from '../../src/testing/fetch-handler.js';
import { throughBothDoors } from './_doors.js';
import { now } from './_pair.js';
import { problemsOf, started } from './_start.js';

const recipe: TenantOptions = {
  patch: { findings: { fix_0001: { status: 'resolved' } } },
  rules: [{ operation: 'listPrs', code: 503, times: 1 }],
  clock: { advance: '2d' },
  credentials: { token: 'revoked' },
  ttl: '30m',
};

test(
  'one call makes a tenant with its data, rules, clock and credentials, of which others see nothing',
  throughBothDoors(async (t, { controls, ask }) => {
    const made = await controls.createTenant(recipe);
    const statusOf = async (session = made.session) =>
      Object(await (await ask('/api/v1/findings/fix_0001', {}, session)).json()).status;
    t.deepEqual([await statusOf(), await statusOf(controls.session)], ['resolved', 'drafting']);
    t.is((await ask('/api/v1/prs')).status, 200);
    const answer = await ask('/api/v1/prs', {}, made.session);
    t.deepEqual(
      [answer.status, answer.headers.get('x-triage-simulated')],
      [503, 'code=503 (fault-1), clock'],
    );
    t.deepEqual([made.clock.now(), controls.clock.now()], ['2026-11-22T12:00:00.000Z', now]);
    const byToken = (token: string) =>
      ask('/api/v1/prs', { headers: { authorization: `Bearer ${token}` } }, null);
    t.deepEqual([(await byToken(made.token)).status, (await byToken(controls.token)).status], [401, 200]);
  }),
);

test(
  'a clock that a tenant begins with dates its data, or lets it age',
  throughBothDoors(async (t, { controls, ask }) => {
    const seenBy = async (options: TenantOptions) => {
      const { session } = await controls.createTenant(options);
      const { status, headers } = await ask('/api/v1/repos', {}, session);
      const [{ lastScanAt = null } = {}] =
        status === 200 ? Object(await (await ask('/api/v1/repos', {}, session)).json()) : [];
      return [status, headers.get('x-triage-warning')?.slice(0, 17) ?? null, lastScanAt];
    };
    const [, , asNow] = await seenBy({});
    const later = (days: number) => new Date(Date.parse(String(asNow)) + days * 86_400_000).toISOString();
    t.deepEqual(await seenBy({ clock: { now: '2026-11-30T12:00:00Z' } }), [200, null, later(10)]);
    t.deepEqual(await seenBy({ clock: { advance: '1d' } }), [200, null, asNow]);
    t.deepEqual(await seenBy({ clock: { advance: '8d' } }), [401, 'the session ended', null]);
  }),
);

test(
  'a tenant of which anything is refused is not made, and takes the room of none',
  throughBothDoors(
    async (t, { controls }) => {
      const { name } = await controls.createTenant();
      const refused = (options: object) => problemsOf(controls.createTenant(options));
      const [first, second, ...others] = await refused({
        rules: [{ code: 503 }, { operation: 'listPr', code: 200 }, { code: 200 }],
      });
      t.regex(String(second), /^createTenant \/rules\/1: operation: .*; did you mean "listPrs"\?$/);
      t.deepEqual(
        [first, ...others],
        [1, 2].map((i) => `createTenant /rules/${i}: code 200 needs a body, such as "" for an empty one`),
      );
      t.deepEqual(await refused({ patch: { findings: { fix_1: { status: 'resolved' } } } }), [
        'createTenant /patch/findings/fix_1: no entry of findings has the id "fix_1" (a new one repeats it as its `id`); did you mean "fix_0001"?',
      ]);
      t.deepEqual(await refused({ clock: { now, advance: '1h' } }), [
        'createTenant /clock/advance: give now or advance, not both',
      ]);
      t.deepEqual(await refused({ clock: {} }), ['createTenant /clock: give now, advance or running']);
      t.deepEqual(await refused({ from: 'acme', fixture: {} }), [
        'createTenant /fixture: give from or fixture, not both',
      ]);
      t.deepEqual(await refused({ rules: [{ then: { patch: { findings: { no: null } } } }] }), [
        'createTenant /rules/0: then/patch/findings/no: no entry of findings has the id "no"',
      ]);
      t.deepEqual([controls.faults.list(), controls.tenant(name).name], [[], name]);
    },
    { maxTenants: 1 },
  ),
);

test(
  'a reset gives a tenant again what it was made with',
  throughBothDoors(async (t, { controls, ask }) => {
    const { name, session, clock, token } = await controls.createTenant(recipe);
    const seen = async () => [
      Object(await (await ask('/api/v1/findings/fix_0001', {}, session)).json()).status,
      (await ask('/api/v1/prs', {}, session)).status,
      (await ask('/api/v1/prs', { headers: { authorization: `Bearer ${token}` } }, null)).status,
      clock.now(),
    ];
    const asMade = ['resolved', 503, 401, '2026-11-22T12:00:00.000Z'];
    t.deepEqual(await seen(), asMade);
    await controls.patch('findings', 'fix_0001', { status: 'pending' }, name);
    await controls.setCredentials({ session: 'expired', token: 'valid' }, name);
    await clock.advance('1h');
    t.like(await controls.reset(name), { rules: 1, clock: true, data: true, credentials: true });
    t.deepEqual(await seen(), asMade);
  }),
);

test(
  'a tenant that was removed can be neither named nor changed, and has no clock any more',
  throughBothDoors(async (t, { controls }) => {
    const { name, clock } = await controls.createTenant();
    await t.throwsAsync(clock.advance('soon'), { message: /clock\.advance: expected a duration/ });
    await clock.advance('1h');
    await clock.release();
    t.deepEqual([clock.now(), controls.tenant(name).name], [controls.clock.now(), name]);
    t.deepEqual([await controls.removeTenant(name), await controls.removeTenant(name)], [true, false]);
    t.throws(() => controls.tenant(name), { instanceOf: TriageApiError });
    t.regex(String(await problemsOf(controls.patch('repos', 'x', {}, name))), /^tenant: expected one of /);
    await t.throwsAsync(clock.advance('1h'), { message: /clock: the tenant usr_\S+ has ended/ });
  }),
);

test('over HTTP and by the controls of a server elsewhere, a tenant is made in one call alike', async (t) => {
  const { url, session } = await started(t);
  const controls = connectControls({ url });
  const made = await controls.createTenant({
    ...recipe,
    from: 'acme',
    clock: { now: '2026-11-25T12:00:00Z', running: true },
  });
  const statusOf = async (path: string, of: string) =>
    (await fetch(`${url}${path}`, { headers: { Cookie: `session=${of}` } })).status;
  t.deepEqual(
    [await statusOf('/api/v1/prs', made.session), await statusOf('/api/v1/prs', session)],
    [503, 200],
  );
  t.regex(await made.clock.now(), /^2026-11-25T12:/);
  t.like(await controls.faults.list(), [{ tenant: made.name, applied: 1 }]);
  const { length } = Object(await (await fetch(`${url}/__admin/tenants`)).json());
  t.regex(
    String(await problemsOf(controls.createTenant({ rules: [{ code: 503 }, {}] }))),
    /^POST \S+: \/rules\/1: a rule needs a code/,
  );
  t.is(Object(await (await fetch(`${url}/__admin/tenants`)).json()).length, length);
});
