import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import type { NewAccount, Storage } from '../src/accounts/account-storage.js';
import { demoRows } from '../src/accounts/demo-rows.js';
import { newSession } from '../src/accounts/sessions-and-tokens.js';
import { makePrivateFolder } from '../src/common/replace-file.js';
import { timestampAt } from '../src/contract/codecs/timestamp.js';
import { fileStateStore } from '../src/fixtures/file-state-store.js';
import { fixtureStorage } from '../src/fixtures/fixture-storage.js';
import { readFixtures, shippedFixtures } from '../src/fixtures/read-fixtures.js';
import { hashCheaply } from '../test/_storage.js';
import { median } from './load.js';
import type { Context, Report } from './report.js';

const changesPerRound = 30;
const clock = (): number => Date.now();

const open = async (folder: string, maxSignUps: number): Promise<Storage> => {
  await makePrivateFolder(folder);
  const opened = await fileStateStore(folder);
  if (E.isLeft(opened)) throw new Error(opened.left.join('\n'));
  const stateStore = opened.right;
  return fixtureStorage({ clock, log: () => {}, stateStore, maxSignUps }, []).storage;
};

/** Makes accounts with demo rows of their own. */
const accounts = async (): Promise<(id: string) => NewAccount> => {
  const fixtures = await readFixtures(shippedFixtures);
  const demo = E.isRight(fixtures) ? fixtures.right.find(({ name }) => name === 'demo') : undefined;
  if (demo === undefined) throw new Error('the demo fixture cannot be read');
  const { repos, scans, fixDrafts, pullRequests } = demo.dataset;
  const passwordHash = await hashCheaply('x');
  return (id) => ({
    user: { id, email: `${id}@bench.test`, name: 'x', passwordHash },
    session: newSession(id, clock(), null).record,
    rows: demoRows({ repos, scans, fixDrafts, pullRequests }),
    asOf: timestampAt(clock()),
  });
};

const done = async (change: Promise<E.Either<unknown, unknown>>): Promise<void> => {
  const result = await change;
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left));
};

/** What one change costs, in milliseconds. */
type Cost = Readonly<{ time: number; processor: number }>;

const costOf = async (change: () => Promise<void>): Promise<Cost> => {
  const [before, started] = [process.cpuUsage(), performance.now()];
  for (let i = 0; i < changesPerRound; i += 1) await change();
  const { user, system } = process.cpuUsage(before);
  return {
    time: (performance.now() - started) / changesPerRound,
    processor: (user + system) / 1000 / changesPerRound,
  };
};

/**
 * What a login and a sign-up cost with a folder of many sign-ups, as multiples of the cost with ten. A
 * sign-up at the limit also removes one.
 */
export const state = async ({ print, quick, rounds, directory }: Context): Promise<Report> => {
  const few = 10;
  const many = quick ? 1000 : 10_000;
  const account = await accounts();
  const openWith = async (signUps: number) => {
    const storage = await open(join(directory, String(signUps)), signUps);
    for (let i = 0; i < signUps; i += 1) await done(storage.signUp(account(`u${i}`), null));
    return {
      login: () => done(storage.startSession(newSession(`u${signUps - 1}`, clock(), null).record, null)),
      'sign-up': () => done(storage.signUp(account(`v${randomBytes(8).toString('hex')}`), null)),
    };
  };
  print(`making ${many.toLocaleString('en')} sign-ups …`);
  const [small, large] = [await openWith(few), await openWith(many)];
  const measure = async (name: 'login' | 'sign-up') => {
    const costs: Readonly<{ few: Cost; many: Cost }>[] = [];
    for (let round = 0; round <= rounds; round += 1)
      costs.push({ few: await costOf(small[name]), many: await costOf(large[name]) });
    // The first round warms up.
    const counted = costs.slice(1);
    const of = (size: 'few' | 'many', figure: keyof Cost): number =>
      median(counted.map((each) => each[size][figure]));
    print(
      `a ${name}: ${of('few', 'time').toFixed(2)} and ${of('many', 'time').toFixed(2)} ms, of processor time ` +
        `${of('few', 'processor').toFixed(2)} and ${of('many', 'processor').toFixed(2)} ms`,
    );
    return {
      measure: `A ${name} with \`--state\` after ${many.toLocaleString('en')} sign-ups`,
      comparedWith: `after ${few}`,
      value: of('many', 'time') / of('few', 'time'),
      byProcessorTime: of('many', 'processor') / of('few', 'processor'),
      atMost: 1.25,
    };
  };
  return { results: [await measure('login'), await measure('sign-up')] };
};
