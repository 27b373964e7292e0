import test, { type ExecutionContext } from 'ava';
import type { Layer } from '../../src/api/call.js';
import { parseJson } from '../../src/common/json.js';
import { operations } from '../../src/contract/operations.js';
import { lies } from '../../src/simulation/lies/index.js';
import { lieGravities } from '../../src/simulation/lies/lie.js';
import { tellLies } from '../../src/simulation/lies/tell.js';
import { createSimulation } from '../../src/simulation/simulation.js';
import { type Answer, serve } from '../_server.js';
import { shippedDatasets } from '../_shipped.js';

const session = { Cookie: 'session=boundary-session' };
const other = { Cookie: 'session=acme-session' };
const token = { Authorization: 'Bearer boundary-token' };
const paths = {
  listConnectedRepos: 'repos',
  listFindings: 'findings',
  getFinding: 'findings/fix_0002',
  listPrs: 'prs',
} as const;

type Request = readonly [path: string, headers: Readonly<Record<string, string>>];

/** Exchanges that show whatever a lie can be about. */
const requests: readonly Request[] = [
  ...Object.values(paths).flatMap((path): readonly Request[] => [
    [path, other],
    [path, session],
    [path, {}],
    ...[500, 503, 429].map((code): Request => [path, { ...session, Prefer: `code=${code}` }]),
    [`${path}?page=0&unknown=1`, session],
  ]),
  ...['findings', 'prs'].flatMap((path) =>
    ['page=2&limit=30', 'page=2', 'limit=3', 'repoId=repo_026_rows'].map(
      (query): Request => [`${path}?${query}`, session],
    ),
  ),
  ...['findings?severity=high', 'findings?status=pending', 'prs?status=closed'].map(
    (path): Request => [path, session],
  ),
  ['findings/fix_0002', token],
  ['prs', token],
  // Of the tenant that has asked before.
  ['findings/fix_0025', { Cookie: 'session=empty-session' }],
];

/** Sends the requests to a server, strict, with this layer around the others. */
const server = async (t: ExecutionContext) => {
  let layer: Layer = (next) => next;
  const { ask } = await serve(t, shippedDatasets, {
    simulation: createSimulation(),
    strict: true,
    lying: (next) => (call) => layer(next)(call),
  });
  return async (lying: Layer): Promise<readonly Answer[]> => {
    const layers = new Map<Parameters<Layer>[0], ReturnType<Layer>>();
    layer = (next) => {
      const made = layers.get(next) ?? lying(next);
      layers.set(next, made);
      return made;
    };
    const answers: Answer[] = [];
    for (const [path, headers] of requests) answers.push(await ask(`/api/v1/${path}`, { headers }));
    return answers;
  };
};

test('each lie has an id of its own, which begins with its operation, a section and a sentence', (t) => {
  t.is(new Set(lies.map(({ id }) => id)).size, lies.length);
  for (const { id, operation, section, sentence, needs } of lies) {
    t.true(id.startsWith(`${operation}.`), id);
    t.regex(section, /^\d(?:\.\d)?(?: rule \d)?$/, id);
    t.regex(sentence, /^[A-Z`t].*[^.]$/, id);
    t.regex(needs, /^[a-z`].*[^.]$/, id);
  }
  const ranks = lies.map(({ gravity }) => lieGravities.indexOf(gravity));
  t.deepEqual(ranks, ranks.toSorted(), 'the gravest come first');
});

test('each lie can be told, and changes only answers of its operation and status, which stay JSON', async (t) => {
  const send = await server(t);
  const notes: string[] = [];
  const right = await send(tellLies(null, (line) => notes.push(line.trim())));
  t.deepEqual(
    lies.filter(({ id }) => !notes.includes(`can ${id}`)).map(({ id }) => id),
    [],
    'lies that no exchange shows',
  );
  t.true(notes.includes('answered listPrs 429'));
  const operationAt = (path: string): string => {
    const entries = Object.entries(paths).toReversed();
    const name = path.startsWith('findings/') ? 'findings/fix_0002' : path.split('?')[0];
    return entries.find(([, each]) => each === name)?.[0] ?? '';
  };
  for (const lie of lies) {
    const told: string[] = [];
    const wrong = await send(tellLies(lie, (line) => told.push(line.trim())));
    t.true(told.includes(`told ${lie.id}`), lie.id);
    let changed = 0;
    for (const [index, [path]] of requests.entries()) {
      const [before, after] = [right[index], wrong[index]];
      if (before === undefined || after === undefined) return t.fail();
      const isMeant = operationAt(path) === lie.operation && before.status === lie.status;
      const isToldHere = after.headers.get('x-triage-simulated')?.includes(`lie=${lie.id}`) === true;
      t.true(isMeant || !isToldHere, `${lie.id}: ${path}`);
      if (!isToldHere) {
        t.deepEqual([after.status, after.text], [before.status, before.text], `${lie.id}: ${path}`);
        continue;
      }
      changed += 1;
      const isHtml = lie.id.endsWith('.as-html');
      t.is(parseJson(after.text) === undefined, isHtml, `${lie.id}: ${path}`);
      t.is(after.headers.get('content-type')?.includes('json'), !isHtml, lie.id);
    }
    t.true(changed > 0, lie.id);
  }
});

test('no lie is told by what is broken on its way, or by another path, and every operation has some', async (t) => {
  const notes: string[] = [];
  const { url } = await serve(t, shippedDatasets, {
    simulation: createSimulation(),
    lying: tellLies(null, (line) => notes.push(line.trim())),
  });
  await fetch(`${url}/api/v1/repos`, { headers: { ...session, Prefer: 'malformed' } });
  await fetch(`${url}/readyz`);
  t.deepEqual(notes, ['answered listConnectedRepos 200']);
  for (const id of Object.keys(operations))
    t.true(lies.filter(({ operation }) => operation === id).length > 10, id);
});
