import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import * as io from 'io-ts';
import { described, nullable } from '../../src/contract/codecs/combinators.js';
import { FindingDetail, operations } from '../../src/contract/index.js';
import {
  type Exchange,
  enter,
  fixtureOf,
  type State,
  seenIn,
  statesOf,
} from '../../src/simulation/states/index.js';
import { connectControls } from '../../src/testing/connect-controls.js';
import { fetchHandler } from '../../src/testing/fetch-handler.js';
import { startTriageApi } from '../../src/testing/server.js';
import { contentOf, memory, opened } from '../demo/_demo.js';
import { shippedFile, usualOfTenants } from './_shipped-states.js';
import { exchange, exchangesOf, type Send } from './_states.js';

/** The states as a recipe by name makes them. */
const states = statesOf();

/** Makes each state at a door, and returns the exchanges that do not show it. */
const missedAt = async (
  send: Send,
  look: (state: State, exchanges: readonly Exchange[]) => void = () => {},
  some = states,
) => {
  const missed: string[] = [];
  const make = async (state: State): Promise<void> => {
    for (const exchanges of await exchangesOf(send, state)) {
      const last = exchanges.at(-1);
      look(state, exchanges);
      if (!exchanges.some((exchange, i) => state.seen(exchange, exchanges.slice(0, i))))
        missed.push(
          `${state.id}, ${last?.operation}: ${last?.status} ${last?.end} ${last?.body.slice(0, 200)}`,
        );
    }
  };
  const parts = [0, 1, 2, 3].map(async (part) => {
    for (const state of some.filter((_, index) => index % 4 === part)) {
      await make(state);
      // A handler never waits for anything, and would keep all others from their turn.
      await setImmediate();
    }
  });
  await Promise.all(parts);
  return missed;
};

test('a server makes each state, and at least 150 show in no other one', async (t) => {
  const api = await startTriageApi({ fixtures: {} });
  t.teardown(api.stop);
  const shownBy = new Map<string, Set<string>>();
  const missed = await missedAt(
    (path, init) => fetch(`${api.url}${path}`, init),
    (state, exchanges) => {
      const { add } = seenIn(states);
      for (const id of exchanges.flatMap((each) => add(each)))
        shownBy.set(id, (shownBy.get(id) ?? new Set()).add(state.id));
    },
  );
  t.deepEqual(missed, []);
  const alone = states.filter(({ id }) => shownBy.get(id)?.size === 1);
  t.true(states.length > 250 && alone.length >= 150, `${alone.length} of ${states.length}`);
});

test('a handler of fetch makes each state, and breaks the contract where the state says so', async (t) => {
  const handle = fetchHandler({});
  const missed = await missedAt(
    (path, init) => handle(new Request(`http://localhost${path}`, init)),
    ({ id, group, keepsContract }, exchanges) => {
      if (group !== 'values' && group !== 'texts' && group !== 'time') return;
      for (const { operation, body } of exchanges) {
        const codec = Object.values(operations).find((each) => each.id === operation)?.responses[200];
        t.is(codec?.is(JSON.parse(body)), keepsContract, id);
      }
    },
  );
  t.deepEqual(missed, []);
});

test('a static demo makes states of each group', async (t) => {
  const demo = await opened(await contentOf(['demo']), memory().store);
  // Each takes a tenth of a second, for the password of its tenant.
  const some = states.filter(({ group }, index) => index % 8 === 0 || states[index - 1]?.group !== group);
  t.deepEqual(await missedAt(demo.send, undefined, some), []);
});

/** The operation of a copy of the contract in which findings have these fields, too. */
const withFields = (fields: io.Props) => ({
  ...operations.getFinding,
  responses: {
    ...operations.getFinding.responses,
    200: io.strict({ ...FindingDetail.type.props, ...fields }, 'FindingDetail'),
  },
});

test('a field that is added to a copy of a codec has states, which the operation can be made to show', async (t) => {
  const copy = withFields({
    isIgnored: described(io.boolean, 'Whether it is ignored.'),
    fix: described(nullable(io.strict({ kind: io.keyof({ patch: null, major: null }) }, 'Fix')), 'Its fix.'),
  });
  const known = new Set(states.map(({ id }) => id));
  const added = statesOf({ operations: [copy] }).filter(({ id }) => !known.has(id));
  t.deepEqual(
    added.map(({ id, sentence }) => `${id}: ${sentence}`),
    [
      'findings.isIgnored.true: `isIgnored` of a finding is true.',
      'findings.isIgnored.false: `isIgnored` of a finding is false.',
      'findings.fix.null: `fix` of a finding is null.',
      'findings.fix.present: `fix` of a finding is not null.',
      'findings.fix.kind.patch: `fix.kind` of a finding is "patch".',
      'findings.fix.kind.major: `fix.kind` of a finding is "major".',
      'findings.fix.kind.unlisted: `fix.kind` of a finding has a value that the contract does not list.',
    ],
  );
  const handle = fetchHandler({}, { session: true });
  for (const state of added) {
    for (const rule of state.make.rules ?? []) handle.faults.add(rule);
    const path = '/api/v1/findings/fix_0';
    const shown = await exchange(
      async () => handle(new Request(`http://localhost${path}`)),
      'getFinding',
      path,
      {},
    );
    t.true(state.seen(shown, []), state.id);
    t.is(copy.responses[200].is(JSON.parse(shown.body)), state.keepsContract, state.id);
    handle.faults.clear();
  }
});

test('what is usual is computed from the shipped fixtures', async (t) => {
  const file = new URL('../../../src/simulation/states/shipped.ts', import.meta.url);
  const written = (await readFile(file, 'utf8')).replaceAll(/[\s,]|'/g, '');
  t.is(written, shippedFile((await usualOfTenants()).words).replaceAll(/[\s,]|["']/g, ''));
});

const stateNamed = (id: string): State => {
  const state = states.find((each) => each.id === id);
  if (state === undefined) throw new Error(`there is no state ${id}`);
  return state;
};

test('a fixture of a state has its unusual row before the rows of the fixture that it is laid over', (t) => {
  const { findings = [] } = fixtureOf(stateNamed('findings.reconciledAt.null'), {
    findings: [{ id: 'own' }],
  });
  t.deepEqual(
    findings.map(({ id, reconciledAt }) => [id, reconciledAt]),
    [
      ['fix_unusual', null],
      ['own', undefined],
    ],
  );
});

test('a client can prefer a state of one request, and is told why it cannot be in another one', async (t) => {
  const handle = fetchHandler({}, { session: true });
  const ask = async (prefer: string, path = '/api/v1/findings') => {
    const answer = await handle(new Request(`http://localhost${path}`, { headers: { Prefer: prefer } }));
    const warning = answer.headers.get('X-Triage-Warning') ?? '';
    return { answer, warning, body: Object(await answer.json()) };
  };
  const unavailable = await ask('state=listFindings.503');
  t.is(unavailable.answer.status, 503);
  t.is(unavailable.answer.headers.get('Preference-Applied'), 'state=listFindings.503');
  const isNull = await ask('state=findings.reconciledAt.null');
  t.is(isNull.body.items[0].reconciledAt, null);
  t.is((await ask('state=findings.page+1', '/api/v1/findings?limit=3')).body.totalItems, 4);
  const finding = await ask('state=findings.severity.critical', '/api/v1/findings/fix_unusual');
  t.is(finding.body.severity, 'critical');
  const unknown = await ask('state=listFindings.508');
  t.is(unknown.answer.status, 200);
  t.regex(unknown.warning, /no state is called "listFindings.508"; did you mean "listFindings.50\d"/);
  const beside = await ask('state=findings.none, code=500, delay=5');
  t.deepEqual([beside.answer.status, beside.body.totalItems], [200, 0]);
  t.regex(beside.warning, /code=500, delay=5 beside state/);
  t.regex((await ask('state=credentials.expired')).warning, /make a tenant in this state/);
  t.regex((await ask('state=findings.shrinks')).warning, /make a tenant in this state/);
  t.regex((await ask('state=prs.none')).warning, /no state is called "prs.none"/);
});

test('a tenant in a state keeps what the recipe says besides, and an unknown state is refused', async (t) => {
  const api = await startTriageApi({ fixtures: {} });
  t.teardown(api.stop);
  const made = await api.createTenant({
    state: 'findings.none',
    rules: [{ operation: 'listPrs', code: 503 }],
  });
  const ask = (path: string) =>
    fetch(`${api.url}${path}`, { headers: { Cookie: `session=${made.session}` } });
  t.is(Object(await (await ask('/api/v1/findings')).json()).totalItems, 0);
  t.is((await ask('/api/v1/prs')).status, 503);
  const wide = await api.createTenant({ state: 'findings.page', limit: 3 });
  t.is(wide.user.name.length > 0, true);
  for (const [recipe, problem] of [
    [{ state: 'findings.none', from: 'acme' }, /state: says how many rows there are/],
    [{ state: 'findings.none', amounts: { findings: 3 } }, /state: says how many rows there are/],
    [{ fixture: {}, amounts: { findings: 3 } }, /amounts: says how many rows there are/],
    [{ amounts: { findings: 1e9 } }, /amounts\/findings: expected integer from 0 to 10000/],
    [{ state: 'findings.page+1', limit: 1e9 }, /limit: expected integer from 1 to 100/],
  ] as const)
    await t.throwsAsync(api.createTenant(recipe), { message: problem });
  await t.throwsAsync(api.createTenant({ state: 'findings.nome' }), {
    message: /state: no state is called "findings.nome"; did you mean "findings.none"/,
  });
});

test('a program enters a state of a server elsewhere by a tenant, and of a handler by its own data', async (t) => {
  const api = await startTriageApi({ fixtures: {} });
  t.teardown(api.stop);
  const elsewhere = await enter(stateNamed('listPrs.503'), connectControls({ url: api.url }));
  const headers = { Cookie: `session=${elsewhere?.session}` };
  t.is((await fetch(`${api.url}/api/v1/prs`, { headers })).status, 503);
  t.is((await api.fetch('/api/v1/prs')).status, 200);

  const handle = fetchHandler({}, { session: true });
  const statusOf = async (path: string) => (await handle(new Request(`http://localhost${path}`))).status;
  await enter(stateNamed('listPrs.503'), handle);
  t.is(await statusOf('/api/v1/prs'), 503);
  await enter(stateNamed('credentials.expired'), handle);
  t.is(await statusOf('/api/v1/prs'), 401);
  await enter(stateNamed('findings.none'), handle);
  t.deepEqual([await statusOf('/api/v1/prs'), await statusOf('/api/v1/findings/fix_0')], [200, 404]);
});

test('a server of a test begins in a state by its name', async (t) => {
  await using api = await startTriageApi({ state: 'findings.page+1' });
  t.is(Object(await (await api.fetch('/api/v1/findings')).json()).totalPages, 2);
  await t.throwsAsync(startTriageApi({ state: 'findings' }), {
    message: /state: no state is called "findings"/,
  });
});
