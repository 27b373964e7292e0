import * as E from '#fp-ts/Either';
import { writeText } from '#write-text';
import { TriageApiError } from '../../common/messages.js';
import { describe, formatProblem } from '../../contract/codecs/problem.js';
import { validateDataset } from '../../records/validate-dataset.js';
import type { TenantData } from './tenant.js';

/**
 * Writes a tenant to a fixture file, and makes the folders that it lies in. An existing file is overwritten.
 * Rejects with a `TriageApiError` if the file cannot be written, and where there are no files: in browsers.
 */
export const writeFixture = async (file: string | URL, data: TenantData): Promise<void> => {
  const name = file instanceof URL ? file.pathname : file;
  const problems = [
    ...(typeof name === 'string' && isRead(name)
      ? []
      : [`file: expected a file that servers read, NAME.json, got ${describe(name)}`]),
    ...problemsOf(data),
  ];
  const failed = problems.length > 0 ? problems : await writeText(file, `${JSON.stringify(data, null, 2)}\n`);
  if (failed.length > 0) throw new TriageApiError(failed.map((each) => `writeFixture: ${each}`));
};

/** Directories of fixtures may hold other files; those whose names begin with a dot are hidden. */
const isRead = (file: string): boolean => /(?:^|[/\\])[^./\\][^/\\]*\.json$/.test(file);

const problemsOf = (data: unknown): readonly string[] => {
  const valid = validateDataset(data);
  return E.isLeft(valid) ? valid.left.map(formatProblem) : [];
};
