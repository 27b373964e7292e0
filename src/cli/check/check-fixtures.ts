import * as E from '#fp-ts/Either';
import {
  type Fixture,
  type FixtureProblems,
  readFixtureFile,
  readFixtureFiles,
} from '../../storage/fixtures/read-fixtures.js';
import { displayPath } from '../output/display-path.js';
import { refusedWith } from '../output/fixtures.js';
import type { Terminal } from '../terminal/terminal.js';

type Read = AsyncIterable<E.Either<FixtureProblems, Fixture>>;

/**
 * Checks a directory file by file, and shows which one. Prints every problem as it is found, and then their
 * number. Returns what `keep` takes of each file, which should be little, because the rest of a file is
 * forgotten; null if there is any problem.
 */
export const checkFixtures = <A>(
  directory: string,
  terminal: Terminal,
  keep: (fixture: Fixture) => A | Promise<A>,
): Promise<readonly A[] | null> =>
  checkAll(
    readFixtureFiles(directory, (file, number, count) =>
      terminal.progress(`checking ${displayPath(file)}, file ${number} of ${count}`),
    ),
    terminal,
    keep,
  );

/** Checks one file in the same way. */
export const checkFixtureFile = <A>(
  file: string,
  terminal: Terminal,
  keep: (fixture: Fixture) => A | Promise<A>,
): Promise<readonly A[] | null> => checkAll(only(file), terminal, keep);

async function* only(file: string): AsyncGenerator<E.Either<FixtureProblems, Fixture>> {
  yield await readFixtureFile(file);
}

const checkAll = async <A>(
  files: Read,
  { err, progress }: Terminal,
  keep: (fixture: Fixture) => A | Promise<A>,
): Promise<readonly A[] | null> => {
  const kept: A[] = [];
  let problems = 0;
  for await (const file of files) {
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
