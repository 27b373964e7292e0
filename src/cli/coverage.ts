import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from '#fp-ts/Either';
import { errorCode } from '../common/replace-file.js';
import { coverageOf } from '../simulation/states/coverage.js';
import { defineCommand } from './define-command.js';
import { displayPath, messageOf } from './output/text.js';
import { Percentage } from './settings/codecs.js';
import { flag, valueOr } from './settings/option.js';
import { exitCode, fail } from './terminal/terminal.js';

const share = (part: number, whole: number): string =>
  `${part} of ${whole} states (${Math.floor((100 * part) / Math.max(whole, 1))} %)`;

/** What the processes of a run have noted. `left`: the error of the system. */
const readStates = async (folder: string): Promise<E.Either<string, readonly string[]>> => {
  try {
    const files = (await readdir(folder)).filter((name) => name.endsWith('.states'));
    return E.right(await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8'))));
  } catch (cause) {
    return errorCode(cause) === 'ENOENT' ? E.right([]) : E.left(messageOf(cause));
  }
};

/** `triage-api coverage`: which states of the API a run of tests has seen, and which it has not. */
export const coverageCommand = defineCommand({
  name: 'coverage',
  description: 'tell which states of the API a run of tests has seen: TRIAGE_COVERAGE=DIR npm test',
  argument: ['<dir>', 'the directory that the run has written'],
  options: {
    min: valueOr('--min <percent>', Percentage, '0', 'fail if fewer states were seen'),
    seen: flag('--seen', 'list the states that were seen, too'),
  },
  examples: {
    'list what the tests have not seen': 'triage-api coverage states',
    'fail if they have seen less than 80 % of the states': 'triage-api coverage states --min 80',
  },
  run: async ({ settings: { min, seen: listsSeen }, words: [folder = ''], terminal }) => {
    const texts = await readStates(folder);
    if (E.isLeft(texts)) return fail(terminal, [`${displayPath(folder)}: ${texts.left}`]);
    const coverage = coverageOf(texts.right.flatMap((text) => text.split('\n')));
    if (coverage.length === 0)
      return fail(terminal, [
        `${displayPath(folder)}: no request to an operation was noted; run the tests with TRIAGE_COVERAGE=${folder}`,
      ]);
    for (const { operation, seen, unseen } of coverage) {
      terminal.out(`${operation}: ${share(seen.length, seen.length + unseen.length)}`);
      if (listsSeen) for (const { id, sentence } of seen) terminal.out(`  seen: ${sentence} (${id})`);
      for (const { id, sentence } of unseen) terminal.out(`  never seen: ${sentence} (${id})`);
    }
    const seen = coverage.reduce((sum, each) => sum + each.seen.length, 0);
    const all = coverage.reduce((sum, each) => sum + each.seen.length + each.unseen.length, 0);
    terminal.out(share(seen, all));
    if (100 * seen >= min * all) return exitCode.done;
    return fail(terminal, [`fewer states were seen than --min ${min} demands`]);
  },
});
