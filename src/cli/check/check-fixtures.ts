import * as E from 'fp-ts/lib/Either.js';
import { type Fixture, readFixtureFiles } from '../../storage/fixtures/read-fixtures.js';
import { displayPath } from '../output/display-path.js';
import { refusedWith } from '../output/fixtures.js';
import type { Terminal } from '../terminal/terminal.js';

/**
 * Checks a directory file by file, and shows which one. Prints every problem as it is found, and then their
 * number. Returns what `keep` takes of each file, which should be little, because the rest of a file is
 * forgotten; null if there is any problem.
 */
export const checkFixtures = async <A>(
  directory: string,
  { err, progress }: Terminal,
  keep: (fixture: Fixture) => A,
): Promise<readonly A[] | null> => {
  const kept: A[] = [];
  let problems = 0;
  const files = readFixtureFiles(directory, (file, number, count) =>
    progress(`checking ${displayPath(file)}, file ${number} of ${count}`),
  );
  for await (const file of files) {
    if (E.isRight(file)) kept.push(keep(file.right));
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
