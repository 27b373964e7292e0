import * as E from 'fp-ts/lib/Either.js';
import { timestampAt } from '../../../src/contract/codecs/timestamp.js';
import { type AssembledTenant, assembleTenant } from '../../../src/data/reports/assemble-tenant.js';
import { readReport } from '../../../src/data/reports/read-report.js';

/** A file: its name, its content, and the repository that was chosen for it. */
export type File = Readonly<{ file: string; content: unknown; repo?: string }>;

/** The bytes of a text, or of a value as JSON. */
export const bytesOf = (content: unknown): Uint8Array =>
  content instanceof Uint8Array
    ? content
    : new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content));

export const asOf = timestampAt(Date.UTC(2026, 10, 20, 12));

/** The tenant that files become; throws what is wrong with them. */
export const imported = (...files: readonly File[]): AssembledTenant => {
  const read = files.map(({ file, content, repo }) => {
    const report = readReport(bytesOf(content));
    if (E.isLeft(report)) throw new Error(`${file} ${report.left}`);
    return { file, repo: repo ?? null, report: report.right };
  });
  const tenant = assembleTenant(read, { name: 'team', asOf, file: null });
  if (E.isLeft(tenant)) throw new Error(JSON.stringify(tenant.left));
  return tenant.right;
};

/** What is wrong with a file; throws if it can be read. */
export const refused = (content: unknown): string => {
  const report = readReport(bytesOf(content));
  if (E.isRight(report)) throw new Error('it was read');
  return report.left;
};
