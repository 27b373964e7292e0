import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { describeMutation } from './describe-mutation.js';
import { apply, type Mutation, mutationsOf } from './mutations.js';
import { type Room, rooms } from './rooms.js';
import { sampleOf } from './sample-of.js';
import { createSandbox, type Sandbox } from './sandbox.js';
import { sourceLines } from './source-places.js';

const usage = `Usage: npm run mutation -- [options]

Breaks one spot of the compiled code at a time and reports which defects the tests do not notice.

  --room NAME        mutate only this folder: ${Object.keys(rooms).join(', ')} (repeatable)
  --sample COUNT     how many mutants of each room to try (default: 40)
  --seed NUMBER      which sample to draw (default: 1)
  --only FILE:LINE   try all mutants of this line instead, such as src/api/paging.ts:9 (repeatable)
  --minutes COUNT    start no further mutant after this time (default: 30)`;

type Mutant = Readonly<{ file: string; text: string; where: string; mutation: Mutation }>;

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const showProgress = (line: string): void => {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line}`);
};

/** The place in `src` that an offset of a compiled file comes from, as `file:line`. */
const locator = async (folder: string, file: string, text: string): Promise<(offset: number) => string> => {
  const lineOf = await sourceLines(file, text);
  const name = file.slice(file.lastIndexOf(folder), -'.js'.length).replaceAll('\\', '/');
  return (offset) => `src/${name}.ts:${lineOf(offset) ?? '?'}`;
};

const mutantsOf = async (sandbox: Sandbox, { folder }: Room): Promise<readonly Mutant[]> => {
  const mutants: Mutant[] = [];
  for (const file of await sandbox.modules(folder)) {
    const text = await readFile(file, 'utf8');
    const locate = await locator(folder, file, text);
    for (const mutation of mutationsOf(text))
      mutants.push({ file, text, mutation, where: locate(mutation.start) });
  }
  return mutants;
};

type Settings = Readonly<{
  sample: number;
  seed: number;
  only: readonly string[];
  /** Whether to start no further mutant. */
  isOver: () => boolean;
}>;

const testRoom = async (sandbox: Sandbox, name: string, room: Room, settings: Settings): Promise<void> => {
  const all = await mutantsOf(sandbox, room);
  const { only, sample, seed } = settings;
  const mutants =
    only.length === 0 ? sampleOf(all, sample, seed) : all.filter(({ where }) => only.includes(where));
  if (mutants.length === 0) return;
  const started = performance.now();
  if (!(await sandbox.pass(room.tests, 600_000)))
    throw new Error(`the tests of ${name} fail without a mutation:\n${sandbox.output()}`);
  const baseline = performance.now() - started;
  let tried = 0;
  let killed = 0;
  for (const { file, text, where, mutation } of mutants) {
    if (settings.isOver()) break;
    showProgress(`${name}: ${tried}/${mutants.length} mutants, ${killed} killed, ${where}`);
    await writeFile(file, apply(text, mutation));
    // A mutant that loops forever is noticed, too; the limit is one that a busy machine can keep.
    const survived = await sandbox.pass(room.tests, 30_000 + baseline * 5);
    await writeFile(file, text);
    tried += 1;
    if (!survived) killed += 1;
    else {
      showProgress('');
      print(`survived ${where}: ${describeMutation(mutation)}`);
    }
  }
  showProgress('');
  const score = tried === 0 ? '' : ` (${Math.round((100 * killed) / tried)} %)`;
  print(`${name}: ${killed} of ${tried} mutants killed${score}; ${all.length} are possible`);
};

const main = async (): Promise<void> => {
  const { values } = parseArgs({
    options: {
      room: { type: 'string', multiple: true, default: Object.keys(rooms) },
      sample: { type: 'string', default: '40' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string', multiple: true, default: [] },
      minutes: { type: 'string', default: '30' },
      help: { type: 'boolean', default: false },
    },
  });
  const [sample, seed, minutes] = [Number(values.sample), Number(values.seed), Number(values.minutes)];
  const known = values.room.every((name) => Object.hasOwn(rooms, name));
  if (values.help || !known || ![sample, seed, minutes].every(Number.isFinite)) return print(usage);
  const deadline = performance.now() + minutes * 60_000;
  let isInterrupted = false;
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      isInterrupted = true;
    });
  const isOver = (): boolean => isInterrupted || performance.now() > deadline;
  const sandbox = await createSandbox();
  try {
    for (const [name, room] of Object.entries(rooms))
      if (values.room.includes(name) && !isOver())
        await testRoom(sandbox, name, room, { sample, seed, only: values.only, isOver });
  } finally {
    await sandbox.remove();
  }
};

await main();
