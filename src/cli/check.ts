import * as E from 'fp-ts/lib/Either.js';
import { escapeControlCharacters } from '../common/escape-control-characters.js';
import { readFixtures } from '../storage/fixtures/read-fixtures.js';
import { type ExitCode, exitCode } from './exit-code.js';
import { fixtureCounts } from './fixture-counts.js';
import { fixtureProblemLines } from './fixture-problem-lines.js';
import { shortPath } from './short-path.js';
import type { Terminal } from './terminal.js';

/** `triage-api check`: every problem of a directory of fixtures, or, where there is none, what each tenant has. */
export const check = async (directory: string, terminal: Terminal): Promise<ExitCode> => {
  const fixtures = await readFixtures(shortPath(directory))();
  if (E.isLeft(fixtures)) {
    for (const line of fixtureProblemLines(fixtures.left)) terminal.err(line);
    return exitCode.failed;
  }
  for (const { file, dataset } of fixtures.right) {
    terminal.out(escapeControlCharacters(`${file}: ${dataset.user.email}: ${fixtureCounts(dataset)}`));
  }
  const tenants = fixtures.right.length;
  terminal.out(`${tenants} tenant${tenants === 1 ? '' : 's'}, no problems`);
  return exitCode.done;
};
