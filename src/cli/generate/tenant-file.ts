import { join } from 'node:path';
import { accountOf, type TenantSpec, tenantName } from '../../data/generator/tenant-plan.js';
import { fixturePieces } from '../../data/generator/tenant-rows.js';
import { fixtureSummary } from '../output/fixtures.js';
import type { NewFile } from '../output/write-files-together.js';

/** The most characters that Node can read as one text, which a fixture file is. */
const maxFileLength = 2 ** 29 - 24;

/** A fixture file that is generated while it is written. */
export type TenantFile = NewFile &
  Readonly<{
    /** The line about the file, once it was written. */
    summary: () => string;
  }>;

type Listeners = Readonly<{
  onPercent: (file: string, percent: number) => void;
  /** The file has become too long to be read. */
  onTooLong: (file: string) => void;
}>;

/** The file of a tenant in a directory. `maxLength` is the length at which it is too long. */
export const tenantFile = (
  directory: string,
  spec: TenantSpec,
  { onPercent, onTooLong }: Listeners,
  maxLength = maxFileLength,
): TenantFile => {
  const file = join(directory, `${tenantName(spec)}.json`);
  const counts = { repos: 0, scans: 0, fixDrafts: 0, pullRequests: 0, sessions: 0, apiTokens: 0 };
  let length = 0;
  const pieces = function* (): Iterable<string> {
    const total = Math.max(1, spec.repos + spec.findings + spec.prs);
    let percent = 0;
    onPercent(file, percent);
    for (const { text, collection } of fixturePieces(spec)) {
      length += text.length;
      if (length > maxLength) onTooLong(file);
      if (collection !== null) counts[collection] += 1;
      const done = Math.floor((100 * (counts.repos + counts.fixDrafts + counts.pullRequests)) / total);
      if (done > percent) onPercent(file, done);
      percent = done;
      yield text;
    }
  };
  const summary = (): string =>
    fixtureSummary(file, {
      user: accountOf(spec).user,
      repos: { length: counts.repos },
      scans: { length: counts.scans },
      fixDrafts: { length: counts.fixDrafts },
      pullRequests: { length: counts.pullRequests },
      sessions: { length: counts.sessions },
      apiTokens: { length: counts.apiTokens },
    });
  return { file, pieces: pieces(), summary };
};
