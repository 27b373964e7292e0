import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import * as E from '#fp-ts/Either';
import { limitConcurrency } from '../../common/concurrency.js';
import { isCalled, type Lie, lies, liesNamed } from '../../simulation/lies/index.js';
import { defineCommand } from '../define-command.js';
import { countOf, messageOf } from '../output/text.js';
import { printReport } from '../output/write-files.js';
import { Count, NonEmptyString, Percentage } from '../settings/codecs.js';
import { value, valueOr } from '../settings/option.js';
import { exitCode, fail, type Terminal } from '../terminal/terminal.js';
import { mutationJunit, mutationLines, score, type Verdict } from './mutation-report.js';
import { programRunner, type Run } from './run-program.js';

/** Ids with commas between them; none: all lies are meant. */
const namesIn = (only: string | undefined): readonly string[] => only?.split(/ *, */) ?? [];

/** A run of the suite, and what its servers and handlers have noted. */
type Noted = Run & Readonly<{ notes: ReadonlySet<string> }>;
type RunSuite = (lie: Lie | null, timeLimit?: number) => Promise<Noted>;

/** Runs a suite with notes in a folder of its own each time. */
const suiteOf = (run: ReturnType<typeof programRunner>['run'], folder: string): RunSuite => {
  let count = 0;
  return async (lie, timeLimit) => {
    count += 1;
    const notes = join(folder, String(count));
    const ended = await run({ TRIAGE_LIES: notes, TRIAGE_LIE: lie?.id }, timeLimit);
    const names = await readdir(notes).catch(() => []);
    const texts = await Promise.all(names.map((name) => readFile(join(notes, name), 'utf8')));
    return { ...ended, notes: new Set(texts.flatMap((text) => text.split('\n'))) };
  };
};

type Baseline = Readonly<{ notes: ReadonlySet<string>; slowest: number; jobs: number }>;

const tailOf = ({ tail }: Run): readonly string[] =>
  stripVTControlCharacters(tail).trimEnd().split('\n').slice(-20);

/**
 * Runs the suite as it is: once alone, and once more, as many at once as there are jobs. `left`: why no lie
 * can be judged by it.
 */
const runBaseline = async (
  runSuite: RunSuite,
  jobs: number,
  { progress, err }: Terminal,
): Promise<E.Either<readonly string[], Baseline>> => {
  progress('running the tests as they are');
  const first = await runSuite(null);
  if (!first.isGreen) return E.left(['the tests fail without a lie:', ...tailOf(first)]);
  if (!Array.from(first.notes).some((line) => line.startsWith('answered ')))
    return E.left([
      'the tests sent no request to an operation of startTriageApi, a handler, the Vite plugin or triage-api serve',
      'start one of them in the command, with its environment, and not before it',
    ]);
  progress(`running the tests as they are once more, ${jobs} at once`);
  const together = await Promise.all(Array.from({ length: jobs }, () => runSuite(null)));
  const slowest = Math.max(...[first, ...together].map(({ milliseconds }) => milliseconds));
  const notes = new Set([first, ...together].flatMap((run) => Array.from(run.notes)));
  const failed = together.find(({ isGreen }) => !isGreen);
  if (failed === undefined) return E.right({ notes, slowest, jobs });
  const again = jobs === 1 ? failed : await runSuite(null);
  if (!again.isGreen)
    return E.left([
      `the tests are flaky: the first run passed, and the ${jobs === 1 ? 'second' : 'third'} failed:`,
      ...tailOf(again),
    ]);
  err(`the tests fail if ${jobs} runs go on at once, so one goes on after the other:`);
  for (const line of tailOf(failed).slice(-3)) err(`  ${line}`);
  return E.right({ notes, slowest, jobs: 1 });
};

/** Why a lie could not be told. */
const whyUntold = ({ operation, status, needs }: Lie, notes: ReadonlySet<string>): string => {
  const has = (each: number): boolean => notes.has(`answered ${operation} ${each}`);
  if (has(status)) return `${operation} answered ${status} without ${needs}`;
  const all = lies.filter((lie) => lie.operation === operation).map((lie) => lie.status);
  const others = Array.from(new Set(all)).filter((each) => !has(each));
  return others.length === new Set(all).size
    ? `${operation} was never asked`
    : `${operation} never answered ${others.sort().join(', ')}`;
};

/** A run may take this much longer than the slowest without a lie, in milliseconds. */
const spareTime = 10_000;

/** Runs the suite with each lie that can be told. */
const judgeLies = async (
  runSuite: RunSuite,
  { notes, slowest, jobs }: Baseline,
  selection: readonly Lie[],
  accepted: readonly string[],
  { terminal, isInterrupted }: Readonly<{ terminal: Terminal; isInterrupted: () => boolean }>,
): Promise<readonly Verdict[]> => {
  const limit = limitConcurrency(jobs);
  const total = selection.filter(({ id }) => notes.has(`can ${id}`)).length;
  let [done, spent] = [0, 0];
  const judge = async (lie: Lie): Promise<Verdict> => {
    if (isInterrupted()) return { lie, fate: 'untold', why: 'the command was interrupted' };
    const left = Math.ceil(((total - done) * (spent / Math.max(done, 1) || slowest)) / jobs / 1000);
    terminal.progress(`${done} of ${countOf(total, 'lie')}, ${left} s left: ${lie.id}`);
    const run = await runSuite(lie, 3 * slowest + spareTime);
    done += 1;
    spent += run.milliseconds;
    if (!run.isGreen) return { lie, fate: run.isLate ? 'late' : 'noticed', why: '' };
    if (!run.notes.has(`told ${lie.id}`))
      return { lie, fate: 'untold', why: 'the requests of the run were others than before' };
    return { lie, fate: accepted.some((name) => isCalled(lie, name)) ? 'accepted' : 'survived', why: '' };
  };
  return Promise.all(
    selection.map(
      async (lie): Promise<Verdict> =>
        notes.has(`can ${lie.id}`)
          ? limit(() => judge(lie))
          : { lie, fate: 'untold', why: whyUntold(lie, notes) },
    ),
  );
};

/** The ids in a file, one a line; what follows `#` is a comment. `left`: why it cannot be used, in lines. */
const readAccepted = async (
  file: string | undefined,
): Promise<E.Either<readonly string[], readonly string[]>> => {
  if (file === undefined) return E.right([]);
  try {
    const lines = (await readFile(file, 'utf8')).split('\n').map((line) => line.replace(/#.*/, '').trim());
    const ids = lines.filter((line) => line !== '');
    const unknown = ids.flatMap((id) => {
      const named = liesNamed(id);
      return E.isLeft(named) ? [`${file}: ${named.left}`] : [];
    });
    return unknown.length > 0 ? E.left(unknown) : E.right(ids);
  } catch (error) {
    return E.left([`--accept: ${messageOf(error)}`]);
  }
};

/** `triage-api mutate`: which lies of the API no test of a suite notices. */
export const mutateCommand = defineCommand({
  name: 'mutate',
  description: 'tell which wrong answers of the API no test of yours notices',
  argument: ['<command...>', 'what runs your tests, after --'],
  options: {
    only: value('--only <id>', NonEmptyString, 'tell these lies alone, or those whose ids begin so'),
    accept: value('--accept <file>', NonEmptyString, 'ids of lies that no test has to notice, one a line'),
    min: valueOr('--min <percent>', Percentage, '100', 'fail if fewer lies are noticed or accepted'),
    jobs: value('--jobs <count>', Count, 'runs at once; default: one for each processor'),
    junit: value('--junit <file>', NonEmptyString, 'the same as JUnit XML'),
  },
  examples: {
    'find what the tests do not look at': 'triage-api mutate -- npx vitest run',
    'try only what is about pull requests': 'triage-api mutate --only listPrs -- npm test',
  },
  conflicts: ({ settings: { only } }) =>
    namesIn(only).flatMap((id) => {
      const named = liesNamed(id);
      return E.isLeft(named) ? [`--only: ${named.left}`] : [];
    }),
  run: async ({ settings, words, terminal }) => {
    const { only, accept, min, junit, jobs = availableParallelism() } = settings;
    const accepted = await readAccepted(accept);
    if (E.isLeft(accepted)) return fail(terminal, accepted.left, exitCode.usage);
    const started = performance.now();
    const folder = await mkdtemp(join(tmpdir(), 'triage-api-mutate-'));
    const { run, endAll } = programRunner(words);
    let isInterrupted = false;
    void terminal.onSignal().then(() => {
      isInterrupted = true;
      endAll();
    });
    try {
      const runSuite = suiteOf(run, folder);
      const baseline = await runBaseline(runSuite, jobs, terminal);
      if (isInterrupted) return fail(terminal, ['interrupted']);
      if (E.isLeft(baseline)) return fail(terminal, baseline.left, exitCode.usage);
      const selection = lies.filter(
        (lie) => only === undefined || namesIn(only).some((name) => isCalled(lie, name)),
      );
      const context = { terminal, isInterrupted: () => isInterrupted };
      const verdicts = await judgeLies(runSuite, baseline.right, selection, accepted.right, context);
      terminal.progress('');
      if (isInterrupted) return fail(terminal, ['interrupted']);
      const lines = mutationLines(verdicts, (performance.now() - started) / 1000);
      const code = await printReport(terminal, lines, [{ file: junit, text: mutationJunit(verdicts) }]);
      const { told, good } = score(verdicts);
      if (told.length === 0) return fail(terminal, ['none of these lies could be told']);
      return 100 * good.length >= min * told.length ? code : exitCode.failed;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
});
