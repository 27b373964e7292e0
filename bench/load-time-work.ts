import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { openFixtures } from '../src/server/fixture-backend.js';
import { readFixtures } from '../src/storage/fixtures/read-fixtures.js';
import { ownPeakMemory } from './own-peak-memory.js';

/**
 * One measurement of `load-time.ts`, in a process of its own: does the work that the command line names, and
 * prints its costs. Results are kept until the end, as a server would.
 */
const work = {
  parse: async (directory: string): Promise<unknown> => {
    const values: unknown[] = [];
    for (const name of (await readdir(directory)).sort())
      values.push(JSON.parse(await readFile(join(directory, name), 'utf8')));
    return values;
  },
  read: async (directory: string): Promise<unknown> => valid(await readFixtures(directory)()),
  load: async (directory: string): Promise<unknown> =>
    valid(
      await openFixtures(
        {
          read: readFixtures(directory),
          withSamples: true,
          showPasswords: false,
          arePublished: false,
          state: undefined,
          maxSignUps: 1,
        },
        {
          clock: Date.now,
          log: () => {},
          hashPassword: () => new Promise(() => {}),
        },
      ),
    ),
};

const valid = <A>(result: E.Either<readonly string[], A>): A => {
  if (E.isLeft(result)) throw new Error(result.left.join('\n'));
  return result.right;
};

const [name, directory = ''] = process.argv.slice(2);
const started = performance.now();
const before = process.cpuUsage();
const result = await (name === 'parse'
  ? work.parse(directory)
  : name === 'read'
    ? work.read(directory)
    : work.load(directory));
const { user, system } = process.cpuUsage(before);
const costs = {
  wall: performance.now() - started,
  processor: (user + system) / 1000,
  memory: ownPeakMemory(),
};
process.stdout.write(JSON.stringify(costs));
// The result is alive until here.
process.exit(result === undefined ? 1 : 0);
