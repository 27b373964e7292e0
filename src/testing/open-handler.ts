import type * as t from 'io-ts';
import { hashSecret } from '../accounts/secrets.js';
import { inTurn } from '../common/in-turn.js';
import { TriageApiError } from '../common/triage-api-error.js';
import { scenarioProblems } from '../live-fixtures/changed-fixtures.js';
import { type LiveFixtures, liveFixtures } from '../live-fixtures/live-fixtures.js';
import { type Answer, answerFetch, type Door } from '../protocol/answer-fetch.js';
import type { Scenario } from '../simulation/scenario.js';
import { fixtureStorage } from '../storage/fixtures/fixture-storage.js';
import { fixturesFromValues } from '../storage/fixtures/fixtures-from-values.js';
import type { Fixture } from '../storage/fixtures/read-fixtures.js';
import { memoryStateStore } from '../storage/fixtures/state-store.js';
import type { Storage } from '../storage/port.js';
import { type Core, openCore, serve } from './core.js';
import { allOrThrow, type GivenFixtures, type ReadOptions, read, readScenario } from './options.js';

/** How a request comes: `cookie` is the value of a session cookie that is not in its headers. */
type Way = Omit<Door, 'sessionFor'> & Readonly<{ cookie: string | null }>;

/**
 * Opens fixtures for requests of `fetch`. Throws a `TriageApiError` that lists what is wrong with them and
 * with the options. `answer` rejects if the credentials of the tenants cannot be made.
 */
export const openHandler = <O extends ReadOptions & Readonly<{ session: boolean | string | undefined }>>(
  given: unknown,
  settings: unknown,
  codec: t.Decoder<unknown, O>,
) => {
  const [options, fixtures, scenario] = allOrThrow(
    read('options', codec, settings),
    fixturesFromValues(given),
    readScenario(Object(settings).scenario),
  );
  const { session } = options;
  const unfit = [...scenarioProblems(scenario, fixtures), ...unknownSession(session, fixtures)];
  if (unfit.length > 0) throw new TriageApiError(unfit);
  const core = openCore(options);
  const { live, ...opened } = openInMemory(core, fixtures, scenario);
  const { storage, controls, ready } = serve(core, {
    ...opened,
    live,
    fixtures,
    load: async (values: GivenFixtures) => fixturesFromValues(values),
  });
  const respond = answerFetch({ ...core, storage, live });
  const isReady = live.started.then(ready);
  // Whoever sends a request is told.
  isReady.catch(() => {});
  const assumed = (): string | null => {
    if (session === undefined || session === false) return null;
    if (session === true) return controls.session;
    return controls.tenants.find(({ name }) => name === session)?.session ?? session;
  };
  const answer = async (request: Request, { cookie, ...way }: Way): Promise<Answer> => {
    await isReady;
    const sessionFor: Door['sessionFor'] = ({ authorization }) =>
      cookie ?? (authorization === undefined ? assumed() : null);
    return respond(request, { ...way, sessionFor });
  };
  return { options, answer, controls };
};

/** A session that nobody has would be a typing error, answered by 401 all the time. */
const unknownSession = (
  session: boolean | string | undefined,
  fixtures: readonly Fixture[],
): readonly string[] => {
  const isKnown = fixtures.some(
    ({ name, dataset }) => name === session || dataset.sessions.some(({ value }) => value === session),
  );
  if (typeof session !== 'string' || isKnown) return [];
  const names = fixtures.map(({ name }) => name).join(', ');
  return [
    `options session: expected true, the name of a tenant (${names}) or the value of one of their sessions`,
  ];
};

/** Opens fixtures in memory. There is no login, so no password is ever hashed. */
const openInMemory = (
  { clock, simulated, log, tenantLimits }: Core,
  fixtures: readonly Fixture[],
  scenario: Scenario,
): Readonly<{ storage: Storage; live: LiveFixtures }> => {
  const startedAt = clock();
  const hashPassword = (): Promise<never> => Promise.reject(new Error('a handler has no login'));
  const opened = fixtureStorage(
    { clock, log, stateStore: memoryStateStore(), maxSignUps: 0, hashSecret, hashPassword },
    fixtures.map(({ dataset }) => dataset),
    startedAt,
  );
  const live = liveFixtures(
    {
      clock: simulated,
      log,
      storage: opened,
      inTurn: inTurn(),
      onChange: () => {},
      closing: new AbortController().signal,
      scenario,
      tenantLimits,
    },
    fixtures,
    startedAt,
  );
  return { storage: opened.storage, live };
};
