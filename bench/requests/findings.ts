import { installPeers } from '../peers.js';
import {
  atLeast,
  atMost,
  type Result,
  type SectionContext,
  type SectionReport,
  type ServerFigures,
  withoutGoal,
} from '../section.js';
import { type Setup, startOurs, withSetup } from './bench-setup.js';
import { answerOf, type Contestant } from './contestant.js';
import { inTurns, measureRound, medianOf, medianRatio, type Rounds, ratiosOf } from './in-turns.js';
import { type Opponent, opponentsFor } from './opponents.js';
import { session } from './served-fixture.js';

export const measure = 'GET /api/v1/findings, 25 rows';

/** The name of our server in the chart and the tables. */
export const ourName = 'triage-api';

const path = '/api/v1/findings';
const headers = { cookie: `session=${session}` };

/**
 * A page of 25 findings, side by side with everything that one would pick instead; with an access log,
 * revalidated, compressed, and the latency of the slowest hundredth of the responses.
 */
export const benchFindings = (context: SectionContext): Promise<SectionReport> =>
  withSetup(context, async (setup) => {
    const { silent, logging } = await startOurs(setup);
    const ours: Contestant = {
      name: ourName,
      work: 'authenticates, sends validated bytes',
      url: `${silent.url}${path}`,
      headers,
      pid: silent.pid,
    };
    const { body, etag } = await answerOf(ours);
    const logged = { ...ours, name: 'with access log', url: `${logging.url}${path}`, pid: logging.pid };
    const revalidated = { ...ours, name: '304', headers: { ...headers, 'if-none-match': etag } };
    const compressed = { ...ours, name: 'br', headers: { ...headers, 'accept-encoding': 'br' } };
    await expectStatus(logged, 200);
    await expectStatus(compressed, 200);
    await expectStatus(revalidated, 304);
    const opponents = await started(context, setup, body);
    const contestants = [
      ours,
      logged,
      revalidated,
      compressed,
      ...opponents.map(({ contestant }) => contestant),
    ];
    const [our = [], withLog = [], notModified = [], inBrotli = [], ...theirs] = await inTurns(
      context,
      contestants.map((each) => (seconds) => measureRound(setup.tool, each, seconds)),
    );
    const compared = opponents.map((opponent, i) => ({ ...opponent, rounds: theirs[i] ?? [] }));
    const koa = compared.find(({ name }) => name === 'Koa 3, prepared')?.rounds ?? [];
    return {
      results: [
        ...compared.map(({ name, bound, rounds }) => against(name, bound, our, rounds)),
        atLeast(0.85, {
          measure: `${measure}, access log on`,
          comparedWith: 'off',
          ...ratiosOf(withLog, our),
        }),
        atLeast(1, { measure: `${measure}, 304`, comparedWith: 'the 200', ...ratiosOf(notModified, our) }),
        atLeast(0.9, {
          measure: `${measure}, compressed (br)`,
          comparedWith: 'not compressed',
          ...ratiosOf(inBrotli, our),
        }),
        atMost(1.5, {
          measure: `${measure}, p99 latency`,
          comparedWith: 'Koa 3, prepared',
          value: medianRatio(our, koa, 'p99'),
        }),
      ],
      servers: [
        figuresOf(ours, our),
        ...compared.map(({ contestant, rounds }) => figuresOf(contestant, rounds)),
      ],
      watched: { [measure]: medianRatio(our, koa, 'microseconds') },
    };
  });

const against = (name: string, bound: number | null, ours: Rounds, theirs: Rounds): Result => {
  const figure = { measure, comparedWith: name, ...ratiosOf(ours, theirs) };
  return bound === null ? withoutGoal(figure) : atLeast(bound, figure);
};

const figuresOf = ({ name, work }: Contestant, rounds: Rounds): ServerFigures => {
  const microseconds = medianOf(rounds, 'microseconds');
  return {
    name,
    work,
    requestsPerSecond: medianOf(rounds, 'rate'),
    microseconds: Number.isNaN(microseconds) ? null : microseconds,
    p99: medianOf(rounds, 'p99'),
  };
};

type Started = Opponent & Readonly<{ contestant: Contestant }>;

/** Starts the opponents; one that cannot be started is left out loudly. */
const started = async (
  { print }: SectionContext,
  setup: Setup,
  body: string,
): Promise<readonly Started[]> => {
  const problem = await installPeers(print);
  if (problem !== null) print(`WITHOUT THE PEERS: ${problem}`);
  const found: Started[] = [];
  for (const opponent of await opponentsFor(setup, { path, headers, body })) {
    try {
      const contestant = await opponent.start();
      const answer = await answerOf(contestant);
      const same =
        answer.body === body ? 'the same bytes' : `OTHER bytes: ${answer.body.length} of ${body.length}`;
      print(`${opponent.name}: ${same}`);
      found.push({ ...opponent, contestant });
    } catch (error) {
      print(`WITHOUT ${opponent.name}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return found;
};

const expectStatus = async (contestant: Contestant, expected: number): Promise<void> => {
  const { status } = await answerOf(contestant);
  if (status !== expected) throw new Error(`${contestant.name}: got ${status} instead of ${expected}`);
};
