import { createHash } from 'node:crypto';
import test from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { timestampAt } from '../../src/codecs/timestamp.js';
import type { Distribution } from '../../src/generator/distribution.js';
import { sizeProblem } from '../../src/generator/tenant-spec.js';
import { uniquenessCheck } from '../../src/records/unique-values.js';
import { validateDataset } from '../../src/records/validate-dataset.js';
import { aSpec, fixtureText } from './_generated.js';

/** A change of these is a change of what every seed generates: the change log has to say so. */
const golden: Readonly<Record<Distribution, string>> = {
  realistic: 'a821ea2e481c5a9fe3f3491302cb1167c37b8ebfb939b3ba73594059219ff87e',
  uniform: '00753e4303d9aa1ab9bda45a26171bded25f96af533312e78c70ad9abbd72d36',
  edge: 'faeabe51d2a5e86ba9b5bb8d06ae43c23eb4a07a3fdba4fe67226da227db479f',
};

for (const distribution of ['realistic', 'uniform', 'edge'] as const) {
  test(`${distribution}: the bytes are the same on every platform and in every run`, (t) => {
    const text = fixtureText(aSpec({ distribution }));
    t.is(createHash('sha256').update(text).digest('hex'), golden[distribution]);
    t.is(fixtureText(aSpec({ distribution })), text);
    t.true(text.isWellFormed());
  });
}

const specs = fc
  .record({
    distribution: fc.constantFrom('realistic', 'uniform', 'edge'),
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

test('each row is a line of the file', (t) => {
  const rows = fixtureText(aSpec())
    .split('\n')
    .filter((line) => line.startsWith('    {'));
  const { repos, scans } = JSON.parse(fixtureText(aSpec()));
  t.is(rows.length, 2 + repos.length + scans.length + 60 + 25);
  for (const row of rows) t.notThrows(() => JSON.parse(row.replace(/,$/, '')));
});

test('tenants of other seeds, numbers and distributions can be served together, and differ', (t) => {
  const check = uniquenessCheck();
  const texts = new Set<string>();
  for (const distribution of ['realistic', 'uniform', 'edge'] as const)
    for (const seed of [0, 1, 11, 4294967295])
      for (const tenant of [1, 11, 2]) {
        const text = fixtureText(aSpec({ distribution, seed, tenant }));
        t.deepEqual(check(JSON.parse(text), 'one of them'), []);
        texts.add(text.slice(text.indexOf('"repos"')));
      }
  t.is(texts.size, 36);
});

test('a tenant does not depend on how many there are of its seed', (t) => {
  t.not(fixtureText(aSpec({ tenant: 2 })), fixtureText(aSpec({ tenant: 3 })));
  t.is(fixtureText(aSpec({ tenant: 2 })), fixtureText(aSpec({ tenant: 2 })));
});

test('sizes that no tenant has are named', (t) => {
  t.is(sizeProblem({ repos: 0, findings: 1, prs: 0 }), 'findings need a repository');
  t.is(sizeProblem({ repos: 1, findings: 0, prs: 1 }), 'pull requests need a finding');
  t.is(sizeProblem({ repos: 0, findings: 0, prs: 0 }), null);
});
