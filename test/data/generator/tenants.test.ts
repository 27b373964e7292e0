import { createHash } from 'node:crypto';
import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { fixDraftFacts, pullRequestFacts, repoFacts, scanFacts } from '../../../src/api/row-records.js';
import { timestampAt } from '../../../src/contract/codecs/timestamp.js';
import { sizeProblem } from '../../../src/data/generator/tenant-plan.js';
import { tenantRows } from '../../../src/data/generator/tenant-rows.js';
import { uniquenessCheck, validateDataset } from '../../../src/fixtures/validate-dataset.js';
import { aSpec, fixtureText, tally } from './_generated.js';

/** A change of these is a change of what every seed generates: the change log has to say so. */
const golden = '8cef0f5b82ce0199638b56a03c1607cb41ab02a06b04daf52122f75819906687';

/** Without the fields whose value is the same in every generated row. */
const withoutConstants = (text: string): string =>
  [repoFacts, scanFacts, fixDraftFacts, pullRequestFacts]
    .flatMap(({ values }) => Object.entries(values))
    .reduce((left, [field, value]) => left.replaceAll(`,"${field}":${JSON.stringify(value)}`, ''), text);

test('the bytes are the same on every platform and in every run', (t) => {
  const text = fixtureText(aSpec());
  t.is(createHash('sha256').update(withoutConstants(text)).digest('hex'), golden);
  t.is(fixtureText(aSpec()), text);
  t.true(text.isWellFormed());
});

const specs = fc
  .record({
    seed: fc.nat({ max: 2 ** 32 - 1 }),
    tenant: fc.integer({ min: 1, max: 1000 }),
    repos: fc.nat({ max: 40 }),
    findings: fc.nat({ max: 200 }),
    prs: fc.nat({ max: 300 }),
    asOf: fc
      .date({
        min: new Date('0000-01-01T00:00:00Z'),
        max: new Date('9999-12-31T23:59:59Z'),
        noInvalidDate: true,
      })
      .map((date) => timestampAt(date.getTime())),
  })
  .filter((sizes) => sizeProblem(sizes) === null);

test('any seed and sizes give a valid tenant of exactly these sizes', (t) => {
  fc.assert(
    fc.property(specs, (spec) => {
      const dataset = validateDataset(JSON.parse(fixtureText(spec)));
      if (E.isLeft(dataset)) throw new Error(JSON.stringify(dataset.left.slice(0, 5)));
      const { repos, fixDrafts, pullRequests, sessions, apiTokens, asOf } = dataset.right;
      t.deepEqual(
        [repos.length, fixDrafts.length, pullRequests.length, sessions.length, apiTokens.length, asOf],
        [spec.repos, spec.findings, spec.prs, 1, 1, spec.asOf],
      );
    }),
  );
});

test('tenants of other seeds and numbers can be served together, and differ', (t) => {
  const check = uniquenessCheck();
  const texts = new Set<string>();
  for (const seed of [0, 1, 11, 4294967295])
    for (const tenant of [1, 11, 2]) {
      const text = fixtureText(aSpec({ seed, tenant }));
      t.deepEqual(check(JSON.parse(text), 'one of them'), []);
      texts.add(text.slice(text.indexOf('"repos"')));
    }
  t.is(texts.size, 12);
});

test('sizes that no tenant can have are refused by name', (t) => {
  t.is(sizeProblem({ repos: 0, findings: 1, prs: 0 }), 'findings need a repository');
  t.is(sizeProblem({ repos: 1, findings: 0, prs: 1 }), 'pull requests need a finding');
  t.is(sizeProblem({ repos: 0, findings: 0, prs: 0 }), null);
});

/** The first values of an iteration; the others are never generated. */
const take = <A>(count: number, values: Iterable<A>): readonly A[] => {
  const taken: A[] = [];
  for (const value of values) {
    taken.push(value);
    if (taken.length === count) break;
  }
  return taken;
};

test('rows are generated one at a time, even of the largest tenant', (t) => {
  const spec = aSpec({ repos: 40, findings: 10 ** 7, prs: 10 ** 7 });
  const { repos, fixDrafts, pullRequests } = tenantRows(spec);
  t.is(take(40, repos).length, 40);
  const drafts = take(2000, fixDrafts);
  t.is(new Set(drafts.map(({ id }) => id)).size, 2000);
  const draftIds = new Set(drafts.map(({ id }) => id));
  for (const { draftId } of take(300, pullRequests)) t.true(draftIds.has(draftId));
});

test('a collection is the same each time, whichever others are walked through', (t) => {
  const rows = tenantRows(aSpec());
  const before = Array.from(rows.fixDrafts);
  t.is(Array.from(rows.pullRequests).length, 25);
  t.deepEqual(Array.from(rows.fixDrafts), before);
});
test('repositories have names of their own, however many there are', (t) => {
  const repos = Array.from(tenantRows(aSpec({ repos: 1000 })).repos);
  t.is(new Set(repos.map(({ owner, repo }) => `${owner}/${repo}`)).size, 1000);
});

test('pull requests are shared out within blocks, and each finding may have several', (t) => {
  const { pullRequests } = tenantRows(aSpec({ findings: 1600, prs: 800 }));
  const perFinding = tally(tally(Array.from(pullRequests, ({ draftId }) => draftId)).values());
  t.true((perFinding.get(1) ?? 0) > (perFinding.get(2) ?? 0));
  t.true((perFinding.get(2) ?? 0) > (perFinding.get(3) ?? 0));
  t.true((perFinding.get(3) ?? 0) > 0);
});
