import { access, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as E from '#fp-ts/Either';
import type { Fixture } from '../../fixtures/read-fixtures.js';
import { displayPath } from '../output/display-path.js';
import { countOf, fixtureSummary } from '../output/fixtures.js';
import { writeFileAtomically } from '../output/write-file-atomically.js';
import { type ExitCode, exitCode } from '../terminal/exit-code.js';
import type { Terminal } from '../terminal/terminal.js';
import { completedText } from './completed-text.js';

/** Checks fixtures, and returns what is kept of each; null if there are problems, which were printed. */
export type CheckEach = <A>(keep: (fixture: Fixture) => A | Promise<A>) => Promise<readonly A[] | null>;

/**
 * Writes the completed files to a directory, under their names. Nothing is written before all files have been
 * checked, nor if one would be overwritten without `force`.
 */
export const writeCompleted = async (
  checkEach: CheckEach,
  { directory, force }: Readonly<{ directory: string; force: boolean }>,
  terminal: Terminal,
): Promise<ExitCode> => {
  const target = displayPath(directory);
  const names = await checkEach(({ file }) => basename(file));
  if (names === null) return exitCode.failed;
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) {
    terminal.err(`several files are called ${repeated}; write them to different directories`);
    return exitCode.failed;
  }
  const existing: string[] = [];
  for (const name of names) if (await exists(join(target, name))) existing.push(join(target, name));
  if (existing.length > 0 && !force) {
    for (const file of existing) terminal.err(`${file} already exists; pass --force to overwrite it`);
    return exitCode.failed;
  }
  try {
    await mkdir(target, { recursive: true });
  } catch (error) {
    terminal.err(`cannot create ${target}: ${error instanceof Error ? error.message : String(error)}`);
    return exitCode.failed;
  }
  // They are read once more: kept, the texts of all files would take too much memory.
  const failures = await checkEach(async (fixture) => {
    const file = join(target, basename(fixture.file));
    const written = await writeFileAtomically(file, await completedText(fixture))();
    if (E.isLeft(written)) return [written.left];
    terminal.out(fixtureSummary(file, fixture.dataset));
    return [];
  });
  if (failures === null) return exitCode.failed;
  for (const failure of failures.flat()) terminal.err(failure);
  if (failures.flat().length > 0) return exitCode.failed;
  terminal.out(`wrote ${countOf(names.length, 'file')} to ${target}`);
  return exitCode.done;
};

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
