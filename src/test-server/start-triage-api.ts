import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { millisecondsOf } from '../codecs/timestamp.js';
import { shownTarget } from '../http/access-log.js';
import { JournalFilter, journalEntries } from '../simulation/journal-entry.js';
import { rateLimit } from '../simulation/rate-limit.js';
import { frozenAt, machineTime, simulatedClock } from '../simulation/simulated-clock.js';
import { createSimulation } from '../simulation/simulation.js';
import { apiFetch } from './api-fetch.js';
import { StorageState } from './failing-storage.js';
import { MomentOrDate, Options, type TriageApiOptions } from './options.js';
import { decodeOrThrow, rightOrThrow } from './or-throw.js';
import { serveFixtures } from './serve-fixtures.js';
import type { Tenant } from './tenant.js';
import type { TriageApi } from './triage-api.js';

/**
 * Starts a server of the API v1 and its web flows in this process, on a free port of 127.0.0.1. Servers share
 * nothing. Rejects with a `TriageApiError` that lists all problems of the options and the fixtures: test
 * runners expect rejections, so errors are not returned as values here.
 */
export const startTriageApi = async (options: TriageApiOptions = {}): Promise<TriageApi> => {
  const { now, seed, rateLimit: policy } = decodeOrThrow('options', Options, options);
  const simulation = createSimulation(seed === undefined ? {} : { seed });
  const clock = simulatedClock(
    () => Date.now(),
    now === undefined ? machineTime : frozenAt(millisecondsOf(now)),
  );
  let storageState: StorageState = 'fine';
  const started = await serveFixtures(options, {
    clock,
    storageState: () => storageState,
    simulation,
    rateLimit: policy === undefined ? null : rateLimit(policy),
  });
  const { url, live, onDemand, tenants, assertRunning, stop } = rightOrThrow(started);
  const { catchUp, ...controls } = live;
  const tenant: TriageApi['tenant'] = (name) => {
    const found = tenants().find((each) => each.name === name) ?? onDemand.find(name);
    const known = tenants()
      .map((each) => each.name)
      .join(', ');
    return rightOrThrow(
      E.fromNullable([`tenant: expected one of ${known}, got ${JSON.stringify(name)}`])(found),
    );
  };
  const first = (): Tenant => tenant(tenants()[0]?.name ?? '');
  let stopped: Promise<void> | undefined;
  const stopOnce = (): Promise<void> => {
    stopped ??= stop();
    return stopped;
  };
  return {
    url,
    get session() {
      return first().session;
    },
    get token() {
      return first().token;
    },
    get tenants() {
      return tenants();
    },
    tenant,
    fetch: apiFetch({ baseUrl: url, first: () => first().name, sessionOf: (name) => tenant(name).session }),
    ...controls,
    createTenant: onDemand.createTenant,
    removeTenant: onDemand.removeTenant,
    setNow: (moment) => {
      assertRunning();
      clock.setMode(frozenAt(millisecondsOf(decodeOrThrow('setNow', MomentOrDate, moment))));
      catchUp();
    },
    setStorage: (state) => {
      assertRunning();
      storageState = decodeOrThrow('setStorage', StorageState, state);
    },
    faults: {
      list: simulation.faults.list,
      remove: (id) => {
        assertRunning();
        return simulation.faults.remove(id);
      },
      clear: () => {
        assertRunning();
        simulation.faults.clear();
      },
      add: (rule) => {
        assertRunning();
        return rightOrThrow(
          pipe(
            simulation.faults.add(rule),
            E.mapLeft((problems) => problems.map((problem) => `faults.add: ${problem}`)),
          ),
        );
      },
    },
    requests: (filter = {}) =>
      journalEntries(simulation.journal, decodeOrThrow('requests', JournalFilter, filter), shownTarget),
    stop: stopOnce,
    [Symbol.asyncDispose]: stopOnce,
  };
};
