import { millisecondsOf } from '../codecs/timestamp.js';
import { addProperties } from '../in-process/add-properties.js';
import type { StorageState } from '../in-process/failing-storage.js';
import { makeControls } from '../in-process/make-controls.js';
import { decodeOrThrow, rightOrThrow } from '../in-process/or-throw.js';
import { rateLimit } from '../simulation/rate-limit.js';
import { frozenAt, machineTime, simulatedClock } from '../simulation/simulated-clock.js';
import { createSimulation } from '../simulation/simulation.js';
import { apiFetch } from './api-fetch.js';
import { Options, type TriageApiOptions } from './options.js';
import { serveFixtures } from './serve-fixtures.js';
import { serveStorage } from './serve-storage.js';
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
  const serve = options.storage === undefined ? serveFixtures : serveStorage;
  const started = await serve(options, {
    clock,
    storageState: () => storageState,
    simulation,
    rateLimit: policy === undefined ? null : rateLimit(policy, () => performance.now()),
  });
  const { url, live, onDemand, tenants, assertRunning, stop } = rightOrThrow(started);
  const controls = makeControls({
    clock,
    simulation,
    live,
    onDemand,
    tenants,
    setStorage: (state) => {
      storageState = state;
    },
    assertRunning,
  });
  let stopped: Promise<void> | undefined;
  const stopOnce = (): Promise<void> => {
    stopped ??= stop();
    return stopped;
  };
  const api = {
    url,
    fetch: apiFetch({
      baseUrl: url,
      // Which tenants a storage of one's own has is not known here.
      first: () => tenants()[0]?.name ?? (options.storage === undefined ? '' : null),
      sessionOf: (name) => controls.tenant(name).session,
    }),
    stop: stopOnce,
    [Symbol.asyncDispose]: stopOnce,
  };
  addProperties(api, controls);
  return api;
};
