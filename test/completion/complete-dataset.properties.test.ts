import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { completeDataset } from '../../src/completion/complete-dataset.js';
import type { Dataset } from '../../src/records/dataset.js';
import { validateDataset } from '../../src/records/validate-dataset.js';
import { runs } from '../_runs.js';
import { sparseFinding, sparseFixture } from './_arbitraries.js';
import { completed } from './_completed.js';

const collections = ['repos', 'scans', 'fixDrafts', 'pullRequests'] as const;

const byId = (dataset: Dataset) =>
  Object.fromEntries(
    collections.map((name) => [name, [...dataset[name]].sort((l, r) => (l.id < r.id ? -1 : 1))]),
  );

/** Asserts that a row has the fields of another one, with the same values. */
const assertHas = (t: ExecutionContext, row: object | undefined, fields: object): void => {
  t.deepEqual({ ...row, ...fields }, { ...row });
};

test('what is completed is valid, and stays as it is when it is completed again', (t) => {
  fc.assert(
    fc.property(sparseFixture, (fixture) => {
      const once = completeDataset(fixture, 'team');
      t.true(E.isRight(once) && E.isRight(validateDataset(once.right)));
      t.deepEqual(E.isRight(once) ? completeDataset(once.right, 'other') : null, once);
    }),
    runs(),
  );
});

test('what is given stays', (t) => {
  fc.assert(
    fc.property(sparseFixture, (fixture) => {
      const whole = completed(fixture);
      t.is(String(whole.asOf), fixture.asOf ?? '2026-11-20T12:00:00.000Z');
      assertHas(t, whole.user, fixture.user ?? {});
      for (const [i, { repo: _, ...scan }] of (fixture.scans ?? []).entries())
        assertHas(t, whole.scans[i], scan);
      for (const [i, finding] of (fixture.findings ?? []).entries()) {
        const { repo, pullRequest, ...given } = finding;
        assertHas(t, whole.fixDrafts[i], given);
        const of = whole.repos.find(({ id }) => id === whole.fixDrafts[i]?.repoId);
        t.is(`${of?.owner}/${of?.repo}`, `${repo ?? 'team/app'}`);
        const own = whole.pullRequests.filter(({ draftId }) => draftId === whole.fixDrafts[i]?.id);
        t.is(own.length, pullRequest === undefined ? 0 : 1);
        if (pullRequest !== undefined) assertHas(t, own[0], pullRequest);
      }
    }),
    runs(),
  );
});

test('the order of rows does not matter', (t) => {
  const shuffled = sparseFixture.chain((fixture) =>
    fc.tuple(
      fc.constant(fixture),
      fc.record({
        findings: fc.shuffledSubarray([...(fixture.findings ?? [])], {
          minLength: fixture.findings?.length ?? 0,
        }),
        scans: fc.shuffledSubarray([...(fixture.scans ?? [])], { minLength: fixture.scans?.length ?? 0 }),
        repos: fc.shuffledSubarray([...(fixture.repos ?? [])], { minLength: fixture.repos?.length ?? 0 }),
      }),
    ),
  );
  fc.assert(
    fc.property(shuffled, ([fixture, orders]) => {
      t.deepEqual(byId(completed({ ...fixture, ...orders })), byId(completed(fixture)));
    }),
    runs(),
  );
});

test('another finding changes no finding, no pull request and no id', (t) => {
  fc.assert(
    fc.property(sparseFixture, sparseFinding, fc.boolean(), (fixture, added, first) => {
      const findings = fixture.findings ?? [];
      const before = completed(fixture);
      const after = completed({ ...fixture, findings: first ? [added, ...findings] : [...findings, added] });
      for (const name of ['fixDrafts', 'pullRequests'] as const) {
        const rows = new Map(after[name].map((row) => [row.id, row]));
        for (const row of before[name]) t.deepEqual(rows.get(row.id), row);
      }
      for (const name of ['repos', 'scans'] as const) {
        const ids = new Set(after[name].map(({ id }) => id));
        for (const { id } of before[name]) t.true(ids.has(id));
      }
    }),
    runs(),
  );
});

test('dates and states that are made fit together', (t) => {
  fc.assert(
    fc.property(sparseFixture, (fixture) => {
      const whole = completed(fixture);
      const asOf = whole.asOf ?? '';
      for (const [i, given] of (fixture.findings ?? []).entries()) {
        const finding = whole.fixDrafts[i];
        if (finding === undefined) return t.fail();
        if (given.updatedAt === undefined) t.true(finding.updatedAt >= finding.discoveredAt);
        if (given.discoveredAt === undefined) t.true(finding.discoveredAt < asOf);
        const isFree = given.discoveredAt === undefined && given.pullRequest === undefined;
        if (given.updatedAt === undefined && isFree) t.true(finding.updatedAt <= asOf);
        if (given.reconciledAt === undefined)
          t.is(finding.reconciledAt === null, finding.status !== 'resolved');
        t.true(given.reachability !== undefined || (finding.reachability >= 0 && finding.reachability <= 1));
        t.true(finding.exploitSignal >= 0 && finding.exploitSignal <= 1);
        for (const pullRequest of whole.pullRequests.filter(({ draftId }) => draftId === finding.id)) {
          const own = given.pullRequest;
          if (own?.createdAt === undefined) t.true(pullRequest.createdAt >= finding.discoveredAt);
          if (own?.updatedAt === undefined) t.true(pullRequest.updatedAt >= pullRequest.createdAt);
          if (own?.prState === undefined && given.status === 'resolved') t.is(pullRequest.prState, 'merged');
          if (given.status === undefined)
            t.is(finding.status === 'resolved', pullRequest.prState === 'merged');
        }
      }
    }),
    runs(),
  );
});

test('each repository has a finished scan whose counts fit, unless it was never scanned', (t) => {
  fc.assert(
    fc.property(sparseFixture, (fixture) => {
      const whole = completed(fixture);
      for (const repo of whole.repos) {
        const scans = whole.scans.filter(({ repoId }) => repoId === repo.id);
        const finished = scans.filter(({ status }) => status !== 'running' && status !== 'failed');
        t.true(finished.length > 0 || repo.scanStatusBadge === 'never_scanned');
        if (fixture.scans !== undefined && fixture.scans.length > 0) continue;
        const unresolved = whole.fixDrafts.filter(
          ({ repoId, status }) => repoId === repo.id && status !== 'resolved',
        );
        for (const scan of finished) {
          t.true(scan.finishedAt <= (whole.asOf ?? ''));
          t.true(scan.draftsOpened <= scan.findingsSeen);
          if (unresolved.every(({ discoveredAt }) => discoveredAt <= (whole.asOf ?? '')))
            t.true(scan.findingsSeen >= unresolved.length);
        }
      }
    }),
    runs(),
  );
});
