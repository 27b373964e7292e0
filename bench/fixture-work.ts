import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { hashCredentials } from '../src/api/credentials.js';
import { timestampAt } from '../src/contract/codecs/timestamp.js';
import { formatFileProblem } from '../src/fixtures/file-problem.js';
import { readFixtures } from '../src/fixtures/read-fixtures.js';
import { openFixtures } from '../src/simulation/open-fixtures.js';
import type { Costs } from './fixtures.js';
import { memoryOf } from './processes.js';

/**
 * One measurement of the section `load`, in a process of its own: parses the files of a directory, or loads
 * them as `serve` does until each tenant has been read once, and prints what that took. What it makes is kept
 * until the end, as a server would.
 */
const [, , kind, directory = ''] = process.argv;

const parse = async (): Promise<unknown> => {
  const values: unknown[] = [];
  for (const name of (await readdir(directory)).sort())
    values.push(JSON.parse(await readFile(join(directory, name), 'utf8')));
  return values;
};

const load = async (): Promise<unknown> => {
  const opened = await openFixtures(
    {
      read: () => readFixtures(directory),
      withSamples: true,
      showPasswords: false,
      arePublished: false,
      state: undefined,
      maxSignUps: 1,
    },
    { clock: Date.now, log: () => {} },
  );
  if (E.isLeft(opened)) throw new Error(opened.left.map(formatFileProblem).join('\n'));
  const { samples, storage } = opened.right;
  // A tenant is sorted and joined when it is read for the first time.
  for (const { session } of samples) {
    const credentials = hashCredentials(
      { sessionValue: session, bearerToken: null },
      timestampAt(Date.now()),
    );
    const read = E.isRight(credentials) ? await storage.repos(credentials.right) : credentials;
    if (E.isLeft(read)) throw new Error(`a tenant cannot be read: ${read.left._tag}`);
  }
  return opened.right;
};

const before = process.cpuUsage();
const memoryBefore = await memoryOf('self', 'now');
const started = performance.now();
const result = await (kind === 'parse' ? parse() : load());
const time = performance.now() - started;
const { user, system } = process.cpuUsage(before);
const costs: Costs = {
  time,
  processor: (user + system) / 1000,
  memory: (await memoryOf('self', 'peak')) - memoryBefore,
};
process.stdout.write(JSON.stringify(costs));
process.exit(result === undefined ? 1 : 0);
