import test from 'ava';
import { connectControls } from '../../src/testing/connect-controls.js';
import { type NewFaultRule, TriageApiError } from '../../src/testing/fetch-handler.js';
import { throughBothDoors } from './_doors.js';
import { problemsOf, started } from './_start.js';

const prs = '/api/v1/prs?limit=1';

test(
  'a rule holds responses until it is released, which ends the rule',
  throughBothDoors(async (t, { controls, ask }) => {
    const held = controls.faults.add({ operation: 'listPrs', kind: 'hold' });
    let answers = 0;
    const count = async (answer: Promise<Response>) => {
      const { status, headers } = await answer;
      answers += 1;
      return [status, headers.get('x-triage-simulated')];
    };
    const waiting = [count(ask(prs)), count(ask(prs))];
    t.is((await ask('/api/v1/repos')).status, 200);
    while (controls.faults.list()[0]?.applied !== 2) await new Promise((resolve) => setImmediate(resolve));
    t.is(answers, 0);
    held.release();
    const whole = [200, `hold (${held.id})`];
    t.deepEqual(await Promise.all(waiting), [whole, whole]);
    t.deepEqual([controls.faults.list(), (await ask(prs)).headers.get('x-triage-simulated')], [[], null]);
  }),
);

test(
  'what is held may fail in the end; removing all rules lets it go, and so does the client',
  throughBothDoors(async (t, { controls, ask }) => {
    const { faults } = controls;
    faults.add({ operation: 'GET /session', kind: 'hold', code: 503 });
    faults.add({ operation: 'listPrs', kind: 'hold', times: 1 });
    const client = new AbortController();
    const left = ask(prs, { signal: client.signal });
    const session = ask('/session');
    while (faults.list().some(({ applied }) => applied === 0))
      await new Promise((resolve) => setImmediate(resolve));
    client.abort(new Error('left'));
    await t.throwsAsync(left);
    t.is((await controls.waitFor({ operation: 'listPrs', since: '0' })).status, 499);
    faults.clear();
    t.is((await session).status, 503);
  }),
);

test(
  'what was held is answered from the data, and by the clock, of its release',
  throughBothDoors(async (t, { controls, ask }) => {
    const path = '/api/v1/findings/fix_0001';
    const whileHeld = async (change: () => Promise<unknown>) => {
      const { id, release } = controls.faults.add({ operation: 'getFinding', kind: 'hold' });
      const held = ask(path);
      while (controls.faults.list().find((rule) => rule.id === id)?.applied !== 1)
        await new Promise((resolve) => setImmediate(resolve));
      await change();
      release();
      return held;
    };
    const patched = await whileHeld(() => controls.patch('findings', 'fix_0001', { status: 'resolved' }));
    t.is(Object(await patched.json()).status, 'resolved');
    t.is((await whileHeld(() => controls.clock.advance('400d'))).status, 401);
  }),
);

test(
  'the data changes once a rule has applied, before the next request',
  throughBothDoors(async (t, { controls, ask }) => {
    const { faults } = controls;
    const statusOf = async () => Object(await (await ask('/api/v1/findings/fix_0001')).json()).status;
    const patchTo = (status: string) => ({ patch: { findings: { fix_0001: { status } } } });
    faults.add({ operation: 'listFindings', times: 2, then: patchTo('resolved') });
    const list = async () => (await ask('/api/v1/findings?limit=1')).headers.get('x-triage-simulated');
    t.deepEqual([await list(), await statusOf()], [null, 'drafting']);
    t.deepEqual([await list(), await statusOf()], [null, 'resolved']);
    t.is(await list(), 'data');
    faults.add({ operation: 'GET /session', code: 500, times: 1, then: patchTo('pending') });
    t.deepEqual([(await ask('/session')).status, await statusOf()], [500, 'pending']);
    faults.add({ tenant: 'dana@acme.test', delay: 1, then: patchTo('resolved') });
    t.deepEqual([(await ask(prs)).status, await statusOf()], [200, 'resolved']);
  }),
);

test(
  'a change that cannot be is refused with its path, and one that no longer fits is a warning',
  throughBothDoors(async (t, { controls, ask }) => {
    const { faults, remove } = controls;
    const refused = (then: NewFaultRule['then']) =>
      t.throws(() => faults.add({ code: 503, ...{ then } }), { instanceOf: TriageApiError })?.problems;
    t.deepEqual(refused({ patch: { findings: { fix_1: { status: 'x' } } } }), [
      'faults.add: then/patch/findings/fix_1: no entry of findings has the id "fix_1" (a new one repeats it as its `id`); did you mean "fix_0001"?',
    ]);
    t.regex(String(refused(JSON.parse('{"patch":[]}'))), /\/then\/patch: expected a merge patch/);
    t.regex(String(refused(JSON.parse('{"path":{}}'))), /\/then\/path: /);
    faults.add({ operation: 'listConnectedRepos', then: { patch: { findings: { fix_0007: null } } } });
    await remove('findings', 'fix_0007');
    t.is(
      (await ask('/api/v1/repos')).headers.get('x-triage-warning'),
      'the patch of fault-1 was refused: /findings/fix_0007: no entry of findings has the id "fix_0007"; did you mean "fix_0001"?',
    );
  }),
);

test(
  'a test waits for the next matching request, or for one since a number, and is shown the nearest if none comes',
  throughBothDoors(async (t, { controls, ask }) => {
    const next = controls.waitFor({ operation: 'listPrs', status: '200' });
    await ask('/api/v1/repos');
    await ask(prs, {}, null);
    await ask(prs);
    t.like(await next, { number: 3, operation: 'listPrs', tenant: 'usr_acme' });
    t.is((await controls.waitFor({ operation: 'listPrs', since: '0' })).number, 2);
    t.deepEqual(await problemsOf(controls.waitFor({ since: '3' }, 1)), [
      'waitFor: there is no request {} in 1 ms; the nearest is none',
    ]);
    t.deepEqual(
      await problemsOf(controls.waitFor({ operation: 'listPrs', status: '503', since: '0' }, '1ms')),
      [
        'waitFor: there is no request {"operation":"listPrs","status":"503"} in 1 ms; the nearest is GET /api/v1/prs?limit=1 (listPrs), 401, of the tenant null',
      ],
    );
    t.regex(String(await problemsOf(controls.waitFor({ operation: 'listPr' }))), /did you mean "listPrs"/);
    t.regex(
      String(await problemsOf(controls.waitFor({}, 'soon'))),
      /within: expected a duration .*, got "soon"/,
    );
  }),
);

test('the controls of a server elsewhere hold, release and wait alike', async (t) => {
  const { url, session } = await started(t);
  const controls = connectControls({ url, tenant: 'acme' });
  const held = await controls.faults.add({ operation: 'listPrs', kind: 'hold' });
  const asked = fetch(`${url}${prs}`, { headers: { Cookie: `session=${session}` } });
  const waiting = controls.waitFor({ operation: 'listPrs', since: '0' });
  while ((await controls.faults.list())[0]?.applied !== 1);
  await held.release();
  t.is((await asked).status, 200);
  t.like(await waiting, { operation: 'listPrs', simulated: `hold (${held.id})` });
  t.regex(
    String(await problemsOf(controls.waitFor({ operation: 'getFinding' }, 1))),
    /There is no request \{"tenant":"usr_acme","operation":"getFinding"\} in 1 ms; the nearest is none/,
  );
  t.regex(String(await problemsOf(controls.waitFor({}, 'soon'))), /\/within: expected a duration/);
});
