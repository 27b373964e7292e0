import * as E from '#fp-ts/Either';
import { type Problem, problem } from '../../contract/codecs/problem.js';
import type { Timestamp } from '../../contract/codecs/timestamp.js';
import { completeFixture } from '../../fixtures/complete-fixture.js';
import type { Dataset } from '../../records/dataset.js';
import { validateDataset } from '../../records/validate-dataset.js';
import { type AssembledRows, assembleRows, type ReadFile } from './assemble-rows.js';
import { completedFields } from './completed-fields.js';
import { fileSummary } from './file-summary.js';
import type { ImportSummary } from './import-summary.js';

/** A tenant of which the reports had only a part. */
export type AssembledTenant = Readonly<{
  /** What the reports say, as a sparse fixture. */
  sparse: Readonly<Record<string, unknown>>;
  /** The same with everything that the reports do not say. */
  complete: Dataset;
  summary: ImportSummary;
}>;

/** How to make a tenant. */
export type TenantOptions = Readonly<{
  /** What its user is named after. */
  name: string;
  /** When the data is current. */
  asOf: Timestamp;
  /** The file that it will be written to; null for standard output. */
  file: string | null;
}>;

/** How much one tenant may have: more takes gigabytes of memory to complete. */
const maxEntries = 2_000_000;
const maxFindings = 250_000;

/** Makes one tenant of the reports in these files. `left`: why it cannot be made. */
export const assembleTenant = (
  files: readonly ReadFile[],
  { name, asOf, file }: TenantOptions,
): E.Either<readonly Problem[], AssembledTenant> => {
  const entries = files.flatMap(({ report }) => report.reports.map((each) => each.entries.length));
  if (entries.reduce((sum, count) => sum + count, 0) > maxEntries)
    return E.left([
      problem([], `the reports have more than ${maxEntries} entries; import fewer files at once`),
    ]);
  const rows = assembleRows(files);
  if (rows.findings.length > maxFindings)
    return E.left([
      problem([], `the reports have more than ${maxFindings} findings; import fewer files at once`),
    ]);
  const { repos, scans, findings } = rows;
  const sparse = { asOf, repos, ...(scans.length === 0 ? {} : { scans }), findings };
  const completed = E.flatMap(validateDataset)(completeFixture(sparse, name));
  if (E.isLeft(completed)) return completed;
  const complete = completed.right;
  return E.right({ sparse, complete, summary: summaryOf(files, rows, sparse, complete, file) });
};

const summaryOf = (
  files: readonly ReadFile[],
  rows: AssembledRows,
  sparse: Readonly<Record<string, unknown>>,
  complete: Dataset,
  file: string | null,
): ImportSummary => {
  const summaries = files.map((each, index) =>
    fileSummary(each, rows.files[index] ?? { repos: [], findings: 0, merged: 0 }),
  );
  const sum = (field: 'read' | 'findings' | 'merged' | 'leftOut'): number =>
    summaries.reduce((total, summary) => total + summary[field], 0);
  return {
    files: summaries,
    total: {
      files: files.length,
      repos: rows.repos.length,
      read: sum('read'),
      findings: sum('findings'),
      merged: sum('merged'),
      leftOut: sum('leftOut'),
    },
    completed: completedFields(sparse, complete),
    tenant: {
      file,
      email: complete.user.email,
      password: complete.user.password,
      session: complete.sessions[0]?.value ?? null,
      token: complete.apiTokens[0]?.token ?? null,
    },
  };
};
