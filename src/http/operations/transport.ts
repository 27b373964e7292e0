import type { Simulation } from '../../simulation/simulation.js';
import type { JsonResponse } from './failures.js';
import type { ApiRequest } from './request.js';
import type { Breakage } from './simulate.js';

/**
 * How responses reach clients: over a connection of a server, for example, where nothing is returned (`A` is
 * `void`), or as values that are returned.
 */
export type Transport<R extends ApiRequest, A> = Readonly<{
  /** Sends a response with all that belongs to it. */
  send: (request: R, response: JsonResponse) => A;
  /** Sends the response to a request that failed unexpectedly, perhaps while another was being sent. */
  sendUnexpected: (request: R, response: JsonResponse) => A;
  /** Sends a response that is broken on purpose. */
  sendBroken: (request: R, response: JsonResponse, how: Breakage) => A;
  /** Sends nothing until the client gives up, or until the bound. */
  hang: (request: R, simulation: Pick<Simulation, 'maxHang' | 'stopping'>) => Promise<A>;
  /** Waits for so many milliseconds, then goes on, unless the client has left. */
  afterDelay: (request: R, milliseconds: number, next: () => Promise<A>) => Promise<A>;
  /** Adds what pages of other origins need to the response of `next`. */
  forOrigin: (request: R, next: () => Promise<A>) => Promise<A>;
  /** What clients without credentials are told apart by: a network address. */
  addressOf: (request: R) => string;
}>;
