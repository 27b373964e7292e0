import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { readDataset } from '../../src/completion/complete-dataset.js';
import { FixtureFile } from '../../src/completion/fixture-file.js';
import { fixtureSchema } from '../../src/json-schema/fixture-schema.js';
import { asFixture, tenant } from '../../src/storage/conformance/arbitraries.js';
import { aDraft, aPullRequest, aRepo, aScan, aSession, aToken, aUser } from '../_data.js';
import { runs } from '../_runs.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const shipped = join(root, 'schema/fixture.schema.json');

const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
// What editors offer says nothing about values.
ajv.addKeyword('defaultSnippets');
formats.default(ajv);
const validate = ajv.compile(fixtureSchema());
const problems = (dataset: unknown): readonly string[] =>
  validate(dataset)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);

test('the shipped schema is what the program says (`npm run derive` writes it anew)', async (t) => {
  t.is(await readFile(shipped, 'utf8'), `${JSON.stringify(fixtureSchema(), null, 2)}\n`);
});

test('the shipped fixtures fit it, and name it for editors', async (t) => {
  const names = (await readdir(join(root, 'fixtures'))).filter((name) => name.endsWith('.json'));
  t.is(names.length, 5);
  for (const name of names) {
    const file = join(root, 'fixtures', name);
    const fixture = JSON.parse(await readFile(file, 'utf8'));
    t.deepEqual(problems(fixture), [], name);
    t.is(resolve(dirname(file), fixture.$schema), shipped, name);
  }
});

const good = {
  user: aUser('u'),
  sessions: [aSession('s')],
  apiTokens: [aToken('t')],
  repos: [aRepo('r')],
  scans: [aScan('s', 'r')],
  fixDrafts: [aDraft('d', 'r')],
  pullRequests: [aPullRequest('p', 'd')],
};

const sparse: readonly unknown[] = [
  {},
  { findings: [{}] },
  { fixDrafts: [{ repo: 'acme/web', package: 'lodash', severity: 'high' }] },
  { user: {}, repos: [{}], scans: [{}], pullRequests: [], findings: [{ pullRequest: {} }] },
  { sessions: [{ value: 's' }], apiTokens: [{ token: 't' }] },
];

for (const dataset of sparse) {
  test(`a sparse dataset fits, and is completed: ${JSON.stringify(dataset)}`, (t) => {
    t.deepEqual(problems(dataset), []);
    const whole = readDataset(dataset, 'team');
    t.true(E.isRight(whole));
    t.deepEqual(problems(JSON.parse(JSON.stringify(whole)).right), []);
  });
}

const snippetsIn = (schema: unknown): readonly unknown[] => {
  if (typeof schema !== 'object' || schema === null) return [];
  const own: unknown = Object(schema).defaultSnippets;
  return [...(Array.isArray(own) ? own : []), ...Object.values(schema).flatMap(snippetsIn)];
};

/** What an editor inserts if nothing is changed: the first choice, or the text that is shown. */
const inserted = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body).replaceAll(/\$\{\d+(?:\|([^,|]+)[^|]*\||:([^}]*))\}/g, '$1$2'));

test('the examples and the snippets fit it', (t) => {
  const schema = Object(fixtureSchema());
  t.true(schema.examples.length >= 3);
  for (const example of schema.examples) t.deepEqual(problems(example), []);
  for (const { body } of schema.defaultSnippets) t.deepEqual(problems(inserted(body)), []);
  for (const name of ['repos', 'scans', 'findings', 'fixDrafts', 'pullRequests']) {
    const { items } = schema.properties[name];
    t.true(items.defaultSnippets.length > 0 && items.examples.length > 0, name);
    for (const { body } of items.defaultSnippets) t.deepEqual(problems({ [name]: [inserted(body)] }), []);
    for (const example of items.examples) t.deepEqual(problems({ [name]: [example] }), []);
  }
  t.is(snippetsIn(schema).length, 9);
  t.false(JSON.stringify(snippetsIn(schema).map(inserted)).includes('${'));
});

const broken: readonly (readonly [dataset: unknown, problem: string])[] = [
  [[], ' must be object'],
  [{ ...good, findings: [] }, ' must NOT be valid'],
  [{ ...good, remove: [] }, ' must have property extends when property remove is present'],
  [{ ...good, fixdrafts: [] }, ' must NOT have additional properties'],
  [
    { ...good, asOf: '2026-11-20' },
    '/asOf must match pattern "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$"',
  ],
  [{ ...good, user: { ...aUser('u'), email: 'nobody' } }, '/user/email must match format "email"'],
  [
    { ...good, user: { ...aUser('u'), password: '' } },
    '/user/password must NOT have fewer than 1 characters',
  ],
  [
    { ...good, sessions: [aSession('a b')] },
    '/sessions/0/value must match pattern "^[\\x21\\x23-\\x2b\\x2d-\\x3a\\x3c-\\x5b\\x5d-\\x7e]+$"',
  ],
  [
    { ...good, apiTokens: [aToken('a b')] },
    '/apiTokens/0/token must match pattern "^[A-Za-z0-9\\-._~+/]+=*$"',
  ],
  [{ ...good, repos: [aRepo('')] }, '/repos/0/id must NOT have fewer than 1 characters'],
  [{ ...good, repos: [aRepo('r', { isDemoRow: 'no' })] }, '/repos/0/isDemoRow must be boolean'],
  [{ ...good, scans: [aScan('s', 'r', { findingsSeen: 1.5 })] }, '/scans/0/findingsSeen must be integer'],
  [{ ...good, scans: [aScan('s', 'r', { error: 7 })] }, '/scans/0/error must be string,null'],
  [
    { ...good, fixDrafts: [aDraft('d', 'r', { severity: 'moderate' })] },
    '/fixDrafts/0/severity must be equal to one of the allowed values',
  ],
  [
    { ...good, fixDrafts: [aDraft('d', 'r', { prCount: 1 })] },
    '/fixDrafts/0 must NOT have additional properties',
  ],
  [
    { ...good, pullRequests: [aPullRequest('p', 'd', { createdAt: null })] },
    '/pullRequests/0/createdAt must be string',
  ],
  [{ ...good, pullRequests: null }, '/pullRequests must be array'],
  [{ findings: [{ sevrity: 'high' }] }, '/findings/0 must NOT have additional properties'],
  [{ findings: [{ severity: 'severe' }] }, '/findings/0/severity must be equal to one of the allowed values'],
  [
    { findings: [{ pullRequest: { draftId: 'd' } }] },
    '/findings/0/pullRequest must NOT have additional properties',
  ],
  [{ findings: {} }, '/findings must be array'],
  [{ user: null }, '/user must be object'],
  [{ sessions: [{}] }, "/sessions/0 must have required property 'value'"],
  [{ extends: 7 }, '/extends must be string'],
];

test('a good dataset fits, as its codec says', (t) => {
  t.deepEqual(problems(good), []);
  t.true(E.isRight(FixtureFile.decode(good)));
});

for (const [dataset, problem] of broken) {
  test(`refused: ${problem}`, (t) => {
    t.true(problems(dataset).includes(problem), problems(dataset).join('\n'));
    t.true(E.isLeft(readDataset(dataset, 'team')), 'as it is read');
  });
}

const collections = ['repos', 'scans', 'fixDrafts', 'pullRequests'] as const;

/** Values that may stand where others should, some of them just so. */
const anything = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    '',
    'open',
    'low',
    1,
    1.5,
    true,
    [],
    {},
    '2026-11-20T12:00:00.000Z',
  ),
  fc.jsonValue(),
);

test('whatever its codec takes fits the schema', (t) => {
  let taken = 0;
  fc.assert(
    fc.property(
      tenant,
      fc.constantFrom(...collections),
      fc.nat(),
      anything,
      (rows, collection, nth, value) => {
        const whole = asFixture('any', rows);
        const [row = {}, ...others] = whole[collection];
        const field = Object.keys(row)[nth % Math.max(1, Object.keys(row).length)] ?? 'more';
        const changed: unknown = JSON.parse(
          JSON.stringify({ ...whole, [collection]: [{ ...row, [field]: value }, ...others] }),
        );
        t.deepEqual(problems(whole), []);
        if (E.isLeft(FixtureFile.decode(changed))) return;
        taken += 1;
        t.deepEqual(problems(changed), []);
      },
    ),
    runs(),
  );
  t.true(taken > 20, `${taken} changes were taken`);
});
