import * as E from '#fp-ts/Either';
import { type Fixture, type FixtureSources, readFixtureFiles } from '../../fixtures/read-fixtures.js';
import { displayPath } from '../output/display-path.js';
import { refusedWith } from '../output/fixtures.js';
import type { Terminal } from '../terminal/terminal.js';

/** Shows which file is being checked. */
export const showFile =
  ({ progress }: Pick<Terminal, 'progress'>) =>
  (file: string, number: number, count: number): void =>
    progress(`checking ${displayPath(file)}, file ${number} of ${count}`);

/**
 * Checks fixtures file by file, and shows which one. Prints every problem as it is found, and then their
 * number. Returns what `keep` takes of each file, which should be little, because the rest of a file is
 * forgotten; null if there is any problem.
 */
export const checkFixtures = async <A>(
  sources: FixtureSources,
  terminal: Terminal,
  keep: (fixture: Fixture) => A | Promise<A>,
): Promise<readonly A[] | null> => {
  const { err, progress } = terminal;
  const kept: A[] = [];
  let problems = 0;
  for await (const file of readFixtureFiles(sources, showFile(terminal))) {
    if (E.isRight(file)) kept.push(await keep(file.right));
    else {
      progress('');
      for (const line of file.left) err(line);
      problems += file.left.length;
    }
  }
  progress('');
  if (problems === 0) return kept;
  err(refusedWith(problems));
  return null;
};
