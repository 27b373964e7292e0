import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { sampleOf } from './mutation/mutations.js';
import { benchProgram, type ProcessorTime, spawnNode, timeOfProcess } from './processes.js';
import type { Context, Report, Result, ServerFigures } from './report.js';

/** What the load client sends: the paths in turns, over this many connections. */
export const Load = t.strict({
  url: t.string,
  paths: t.readonlyArray(t.string),
  /** The headers of the requests, in turns as well. */
  headers: t.readonlyArray(t.record(t.string, t.string)),
  /** Any other status is a failure, */
  status: t.number,
  /** but for 503 if this is set: so many milliseconds later, the connection sends its next request. */
  pauseAfter503: t.union([t.number, t.undefined]),
  connections: t.number,
  seconds: t.number,
  /** How long a connection waits after a response, in milliseconds. */
  pause: t.number,
});
export type Load = t.TypeOf<typeof Load>;

/**
 * The numbers of requests, of those that failed and that got 503, and the latency of others in milliseconds.
 * `rate`: how many of the others a second were answered while further requests were sent.
 */
const LoadReport = t.strict({
  requests: t.number,
  rate: t.number,
  failures: t.number,
  refusals: t.number,
  seconds: t.number,
  p50: t.number,
  p90: t.number,
  p99: t.number,
  longest: t.number,
});
export type LoadReport = t.TypeOf<typeof LoadReport>;

type Defaults = 'status' | 'pause' | 'pauseAfter503';

/** Sends a load from a process of its own: without pauses, and for responses with status 200, by default. */
export const runLoad = async (
  { processors }: Context,
  load: Omit<Load, Defaults> & Partial<Pick<Load, Defaults>>,
): Promise<LoadReport> => {
  const client = spawnNode(processors?.load, [benchProgram('load-client')]);
  client.stdin.end(JSON.stringify({ status: 200, pause: 0, ...load }));
  return decoded(LoadReport, await text(client.stdout));
};

/** The value of a JSON text that another process has sent. */
export const decoded = <A>(codec: t.Decoder<unknown, A>, json: string): A => {
  const result = codec.decode(JSON.parse(json));
  if (E.isLeft(result)) throw new Error(`an unexpected JSON text: ${json.slice(0, 200)}`);
  return result.right;
};

type Headers = Readonly<Record<string, string>>;

/** A running server and the requests that it is measured with. */
export type Contestant = Readonly<{
  name: string;
  /** What it does for a request, in a few words. */
  work: string;
  url: string;
  paths: readonly string[];
  headers: Headers;
  /** Other headers for the next requests, in turns; left out: the same for all. */
  otherHeaders?: readonly Headers[];
  status?: number;
  pid: number;
  /** The processor time of the database behind it. */
  database?: ProcessorTime;
}>;

/**
 * One round of one server: requests per second; microseconds of processor time per request, those of the
 * database included, and those of the database alone; latency in milliseconds.
 */
type Round = Readonly<{ rate: number; processor: number; database: number; p50: number; p99: number }>;

/** Rounds of several servers with the same index were measured one after the other. */
export type Rounds = readonly Round[];

const measureRound = async (
  context: Context,
  { name, url, paths, headers, otherHeaders = [], status = 200, pid, database }: Contestant,
): Promise<Round & Pick<LoadReport, 'requests'>> => {
  const times = async () => [await timeOfProcess(pid)(), database === undefined ? 0 : await database()];
  const [before = 0, databaseBefore = 0] = await times();
  const all = [headers, ...otherHeaders];
  const { seconds, connections } = context;
  const report = await runLoad(context, { url, paths, headers: all, status, connections, seconds });
  const [after = 0, databaseAfter = 0] = await times();
  const { requests, failures, p50, p99 } = report;
  if (failures > 0 || requests === 0) throw new Error(`${name}: ${failures} of ${requests} requests failed`);
  const each = (milliseconds: number): number => (milliseconds * 1000) / requests;
  return {
    requests,
    rate: requests / report.seconds,
    processor: each(after - before + databaseAfter - databaseBefore),
    database: each(databaseAfter - databaseBefore),
    p50,
    p99,
  };
};

/** Between two rounds, in milliseconds: what one has left behind is not the cost of the next. */
const pause = 200;

/** Until so many requests, or so many rounds, functions may not be compiled: these rounds do not count. */
const warmUp = { requests: 5000, rounds: 5 };

/**
 * Measures servers in turns, each after some rounds that do not count. The order of each round is another
 * one: on a busy machine, it matters which server runs after which.
 */
export const inTurns = async (
  context: Context,
  contestants: readonly Contestant[],
): Promise<readonly Rounds[]> => {
  const { print, rounds, seconds } = context;
  const minutes = (contestants.length * (rounds + 2) * (seconds + 0.4)) / 60;
  print(
    `${contestants.length} in turns, ${rounds} rounds of ${seconds} s: about ${minutes.toFixed(1)} minutes …`,
  );
  const measured = contestants.map((contestant) => ({ contestant, rounds: [] as Round[] }));
  for (const contestant of contestants)
    for (let round = 0, sent = 0; round < warmUp.rounds && sent < warmUp.requests; round += 1)
      sent += (await measureRound(context, contestant)).requests;
  for (let round = 0; round < rounds; round += 1) {
    for (const each of sampleOf(measured, measured.length, round * 2_654_435_769)) {
      await sleep(pause);
      each.rounds.push(await measureRound(context, each.contestant));
    }
  }
  return measured.map((each) => each.rounds);
};

/** The median of some numbers; of an even number of them, the upper one. */
export const median = (values: readonly number[]): number =>
  values.toSorted((l, r) => l - r)[Math.floor(values.length / 2)] ?? Number.NaN;

/** The median of the ratios of one figure, round by round. */
export const medianRatio = (ours: Rounds, theirs: Rounds, figure: keyof Round): number =>
  median(ours.map((round, i) => round[figure] / (theirs[i]?.[figure] ?? Number.NaN)));

/** The median of the ratios of some rounds, the lowest and the highest. */
export const medianAndRange = (ratios: readonly number[]) => ({
  value: median(ratios),
  range: [Math.min(...ratios), Math.max(...ratios)] as const,
});

/** How many times the other server ours is: by throughput, the range of its rounds, and by processor time. */
export const ratiosOf = (ours: Rounds, theirs: Rounds) => ({
  ...medianAndRange(ours.map(({ rate }, i) => rate / (theirs[i]?.rate ?? Number.NaN))),
  byProcessorTime: medianRatio(theirs, ours, 'processor'),
});

/** The line of a server in the table of servers. */
export const figuresOf = ({ name, work }: Contestant, rounds: Rounds): ServerFigures => {
  const of = (figure: keyof Round): number => median(rounds.map((round) => round[figure]));
  const times = { processor: of('processor'), database: of('database'), p50: of('p50'), p99: of('p99') };
  return { name, work, rate: of('rate'), ...times };
};

/** What two servers are compared with: the paths in turns. */
export type Case = Pick<Contestant, 'paths' | 'headers' | 'otherHeaders'> &
  Pick<Result, 'measure' | 'atLeast'>;

/** Measures two servers in turns with each case. */
export const compareServers = async (
  context: Context,
  ours: Contestant,
  theirs: Contestant,
  cases: readonly Case[],
): Promise<Required<Report>> => {
  const results: Result[] = [];
  const servers: ServerFigures[] = [];
  for (const { measure, atLeast, ...requests } of cases) {
    context.print(measure);
    const both = [ours, theirs].map((each) => ({ ...each, name: measure, work: each.name, ...requests }));
    const measured = await inTurns(context, both);
    const [our = [], their = []] = measured;
    const goal = atLeast === undefined ? {} : { atLeast };
    results.push({ measure, comparedWith: theirs.name, ...ratiosOf(our, their), ...goal });
    servers.push(...both.map((each, i) => figuresOf(each, measured[i] ?? [])));
  }
  return { results, servers };
};

/** The answer to the first request of a contestant. */
export const answerOf = async ({ url, paths, headers }: Contestant) => {
  const response = await fetch(`${url}${paths[0]}`, { headers });
  return { status: response.status, body: await response.text(), etag: response.headers.get('etag') ?? '' };
};
