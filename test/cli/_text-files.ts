import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';

/** A new directory with these files, which is gone when the test is over. */
export const textFiles = async (
  t: ExecutionContext,
  files: Readonly<Record<string, string>>,
): Promise<string> => {
  const directory = await mkdtemp(join(tmpdir(), 'triage-api-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content);
  return directory;
};
