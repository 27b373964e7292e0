import { roomForAnswers } from '../api/kept-answers.js';
import type { ServiceRequest } from '../api/request.js';
import type { Service } from '../api/service.js';
import { type ComposeSettings, compose, type Site } from './compose.js';
import { type FetchDependencies, fetchDoor } from './fetch.js';

/** What handlers without a server need. */
export type HandlerDependencies = Omit<ComposeSettings, 'room' | 'compression' | 'crossSiteCookies'> &
  Omit<FetchDependencies, 'elapsed' | 'basePath'>;

/** How much memory kept answers may take, in bytes: about. */
const renderCache = 32 * 2 ** 20;

/**
 * The door of `fetch` to a service that loads what is served around the operations when it is asked for.
 * `loadSite` gets the settings with which the service is composed.
 */
export const handlerDoor = (
  dependencies: HandlerDependencies,
  loadSite: (settings: ComposeSettings) => Promise<Site>,
) => {
  const room = roomForAnswers(renderCache);
  const settings = { ...dependencies, room, compression: null, crossSiteCookies: false };
  const operationsAlone = compose(settings);
  let loaded: Promise<Service> | undefined;
  const load = async (): Promise<Service> => compose(settings, await loadSite(settings));
  const serviceFor = (request: ServiceRequest): Service | Promise<Service> => {
    const { method, path, refused } = request;
    const isOperation = refused === null && operationsAlone.find(method, path) !== null;
    if (isOperation && loaded === undefined) return operationsAlone;
    loaded ??= load().catch((cause: unknown) => {
      // The next request tries again.
      loaded = undefined;
      throw cause;
    });
    return loaded;
  };
  return fetchDoor(serviceFor, dependencies);
};
