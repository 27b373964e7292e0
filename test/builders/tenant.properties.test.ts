import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { finding, pullRequest, repo, tenant } from '../../src/builders/index.js';
import { validateDataset } from '../../src/records/validate-dataset.js';
import { runs } from '../_runs.js';
import { sparseFinding } from '../completion/_arbitraries.js';

/** Asserts that a row has the fields of another one, with the same values. */
const assertHas = (t: ExecutionContext, row: object | undefined, fields: object): void => {
  t.deepEqual({ ...row, ...fields }, { ...row });
};

const repos = fc.array(
  fc.record(
    {
      repo: fc.constantFrom('acme/web', 'shop', 'π'),
      owner: fc.constantFrom('acme', 'labs'),
      id: fc.constantFrom('one', 'two'),
      scanStatusBadge: fc.constantFrom('attention', 'never_scanned'),
    },
    { requiredKeys: [] },
  ),
  { minLength: 1, maxLength: 3 },
);

/** Findings without a repository of their own, and the repository that each belongs to. */
const findings = fc.array(fc.tuple(sparseFinding, fc.nat()), { maxLength: 6 });

test('any fields are kept in a valid tenant, wherever a finding is written', (t) => {
  fc.assert(
    fc.property(
      repos,
      findings,
      fc.option(fc.integer(), { nil: undefined }),
      fc.boolean(),
      (rows, found, seed, nested) => {
        fc.pre(new Set(rows.map(({ id }) => id ?? {})).size === rows.length);
        const built = rows.map((fields, index) =>
          repo({
            ...fields,
            findings: nested
              ? found
                  .filter(([, at]) => at % rows.length === index)
                  .map(([{ repo: _, ...each }]) => finding(each))
              : undefined,
          }),
        );
        const data = tenant({
          seed,
          repos: built,
          findings: nested
            ? undefined
            : found.map(([{ pullRequest: own, ...each }, at]) =>
                finding({
                  ...each,
                  repo: built[at % rows.length],
                  pullRequests: own === undefined ? [] : [pullRequest(own)],
                }),
              ),
        });
        t.true(E.isRight(validateDataset(data)));
        for (const [i, { repo: name, ...fields }] of rows.entries()) {
          assertHas(t, data.repos[i], fields);
          t.true(name === undefined || name.endsWith(data.repos[i]?.repo ?? ''));
        }
        const written = nested
          ? rows.flatMap((_, index) => found.filter(([, at]) => at % rows.length === index))
          : found;
        t.is(data.fixDrafts.length, written.length);
        for (const [i, [{ repo: _, pullRequest: own, ...fields }, at]] of written.entries()) {
          const draft = data.fixDrafts[i];
          assertHas(t, draft, { ...fields, repoId: data.repos[at % rows.length]?.id });
          const owned = data.pullRequests.filter(({ draftId }) => draftId === draft?.id);
          t.is(owned.length, own === undefined ? 0 : 1);
          assertHas(t, owned[0], own ?? {});
        }
      },
    ),
    runs(),
  );
});
