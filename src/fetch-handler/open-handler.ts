import * as E from '#fp-ts/Either';
import { millisecondsOf } from '../codecs/timestamp.js';
import type { Controls } from '../in-process/controls.js';
import { failingStorage, type StorageState } from '../in-process/failing-storage.js';
import { liveControls } from '../in-process/live-controls.js';
import { madeCredentials } from '../in-process/made-credentials.js';
import { makeControls } from '../in-process/make-controls.js';
import { onDemandControls } from '../in-process/on-demand-controls.js';
import { rightOrThrow } from '../in-process/or-throw.js';
import { rateLimit } from '../simulation/rate-limit.js';
import { frozenAt, machineTime, simulatedClock } from '../simulation/simulated-clock.js';
import { createSimulation } from '../simulation/simulation.js';
import { fixturesFromValues } from '../storage/fixtures/fixtures-from-values.js';
import type { Answer } from './answer.js';
import { answerRequests } from './answer-requests.js';
import { fetchRequest } from './fetch-request.js';
import { handlerTenants } from './handler-tenants.js';
import { loadOptions } from './load-options.js';
import { openFixtures } from './open-fixtures.js';
import type { FetchHandlerOptions, GivenFixtures } from './options.js';

/** What answers requests, and how to change what it answers. */
export type OpenHandler = Readonly<{
  /**
   * Rejects if the credentials of the tenants cannot be made. `cookie`: the value of a session cookie that is
   * not in the headers of the request.
   */
  answer: (request: Request, cookie?: string | null) => Promise<Answer>;
  controls: Controls<GivenFixtures>;
}>;

/**
 * Opens fixtures for requests of `fetch`. Throws a `TriageApiError` that lists what is wrong with them, after
 * `problems` that are known already.
 */
export const openHandler = (
  given: GivenFixtures,
  settings: FetchHandlerOptions,
  problems: readonly string[] = [],
): OpenHandler => {
  const { fixtures, options, scenario } = loadOptions(given, settings, problems);
  const { now, seed, rateLimit: policy, strict = true, delay = 0, session, basePath = '' } = options;
  const { log = () => {} } = settings;
  const clock = simulatedClock(
    () => Date.now(),
    now === undefined ? machineTime : frozenAt(millisecondsOf(now)),
  );
  const simulation = createSimulation(seed === undefined ? {} : { seed });
  const { storage, live } = openFixtures(fixtures, scenario, clock, log);
  const made = madeCredentials({ storage, clock: clock.now });
  let served = handlerTenants(fixtures, made, clock.now());
  let storageState: StorageState = 'fine';
  const respond = answerRequests({
    storage: failingStorage(storage, () => storageState),
    live,
    clock,
    simulation,
    rateLimit: policy === undefined ? null : rateLimit(policy, () => performance.now()),
    log,
    strict,
    delay,
  });
  const ready = live.started.then(async () => rightOrThrow(await served.save()));
  // Whoever sends a request is told.
  ready.catch(() => {});
  const assumed = (): string | null => {
    if (session === undefined || session === false) return null;
    const named = session === true ? served.tenants[0] : served.tenants.find(({ name }) => name === session);
    return named?.session ?? (session === true ? null : session);
  };
  return {
    answer: async (request, cookie = null) => {
      await ready;
      return respond(fetchRequest(request, basePath, { cookie, assumed }));
    },
    controls: makeControls({
      clock,
      simulation,
      live: liveControls({
        load: async (values) => fixturesFromValues(values),
        live,
        made,
        serveTenants: async (loaded) => {
          const next = handlerTenants(loaded, made, clock.now());
          const saved = await next.save();
          if (E.isRight(saved)) served = next;
          return saved;
        },
        tenants: () => served.tenants,
        assertRunning: () => {},
      }),
      onDemand: onDemandControls(live, () => {}),
      tenants: () => served.tenants,
      setStorage: (state) => {
        storageState = state;
      },
      assertRunning: () => {},
    }),
  };
};
