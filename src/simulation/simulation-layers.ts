import * as E from '#fp-ts/Either';
import type { Call, Layer, Row, Serve } from '../api/call.js';
import { operationNameOf, type ServiceRequest } from '../api/request.js';
import { withWarning } from '../api/response.js';
import type { ClockOf } from '../common/clock.js';
import type { Exchange } from './exchange.js';
import { isControlPath } from './paths.js';
import type { PageSimulation } from './simulate-pages.js';
import type { LiveData, Simulation } from './simulation.js';

export type SimulationSettings = Readonly<{
  /** What clients may have simulated; null, the default: nothing. */
  simulation?: Simulation | null;
  /** The clock and the data; null, the default: they cannot be changed. */
  live?: LiveData | null;
  /** Told of each request and what was sent for it. Default: nobody is. */
  onExchange?: ((exchange: Exchange) => void) | null;
}>;

/**
 * The layers of what is simulated, around rows that rules can name from now on. `simulated`: null, if there
 * are no pages.
 */
export const simulationLayers = (
  { simulation = null, live = null, clock }: SimulationSettings & Readonly<{ clock: ClockOf }>,
  rows: readonly Row[],
  simulated: PageSimulation | null,
): readonly Layer[] => {
  if (simulation === null) return [];
  simulation.names.serve({
    pages: rows.filter(({ path }) => !isControlPath(path)).map(({ name }) => name),
    tenants: () => (live === null ? [] : [...live.known(), ...live.signedUp()]),
    problemsOf: live?.patchProblems ?? null,
  });
  // What is about a tenant ends with it.
  live?.tenants.whenEnded(simulation.faults.clear);
  return [explainRefusals(live), simulate(simulation, live, clock, simulated)];
};

/** Says why the request has no valid credentials; null: the storage does not tell. */
const whyRefused = ({ identity, request, row }: Call, live: LiveData | null): string | null => {
  const { credentials } = identity;
  if (E.isRight(credentials)) return live === null ? null : live.whyRefused(credentials.right);
  const takesToken = row?.accepts.includes('bearer') === true;
  if (!takesToken && request.headers.authorization !== undefined)
    return `${operationNameOf(request)} reads no API token, only the session cookie`;
  const missing = takesToken ? 'neither a session cookie nor a bearer token' : 'no session cookie';
  return `the request has ${missing}: a page of another origin sends the cookie with credentials 'include'`;
};

/** Says in a 401 why it is one, to the developers of a client: strangers must not learn it. */
const explainRefusals =
  (live: LiveData | null): Layer =>
  (next) =>
  async (call) => {
    const outcome = await next(call);
    if (typeof outcome === 'string' || outcome.status !== 401 || outcome.kind === 'onPurpose') return outcome;
    // A wrong password is another reason.
    if (call.row === null || call.row.path.startsWith('/login')) return outcome;
    const caller = await call.identity.caller();
    const warning = E.isRight(caller) ? null : whyRefused(call, live);
    if (warning === null) return outcome;
    const { notes } = call.request;
    notes.warning = notes.warning === undefined ? warning : `${notes.warning}; ${warning}`;
    return withWarning(outcome, warning);
  };

/** What clients may have simulated. It is loaded when it is first asked for: most pages never do. */
const simulate =
  (simulation: Simulation, live: LiveData | null, clock: ClockOf, pages: PageSimulation | null): Layer =>
  (next) => {
    const load = async (): Promise<Serve> => {
      // One after the other: Jest fails to load modules at once that share some.
      const { operationSimulator } = await import('./simulate.js');
      const { pageSimulator } = await import('./simulate-pages.js');
      const operation = operationSimulator(simulation, live, clock, next);
      const page = pageSimulator(simulation, live, pages, next);
      return (call) =>
        call.row === null || call.row.operation === null ? page(call) : operation(call, call.row.operation);
    };
    let loaded: Promise<Serve> | undefined;
    const isSimulated = ({ headers }: ServiceRequest): boolean =>
      simulation.faults.areActive() || live?.isChanged() === true || headers.prefer !== undefined;
    const serve: Serve = async (call) => {
      loaded ??= load().catch((cause: unknown) => {
        // The next request tries again.
        loaded = undefined;
        throw cause;
      });
      return (await loaded)(call);
    };
    return (call) => (isSimulated(call.request) ? serve(call) : next(call));
  };
