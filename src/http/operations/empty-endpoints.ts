import type { Endpoint } from './endpoint.js';

/**
 * Finds the endpoint of the same operation among those over empty lists, which are made when one is first
 * needed.
 */
export const emptyEndpointOf = (make: () => readonly Endpoint[]): ((endpoint: Endpoint) => Endpoint) => {
  let made: readonly Endpoint[] | undefined;
  return (endpoint) => {
    made ??= make();
    return made.find(({ operation }) => operation === endpoint.operation) ?? endpoint;
  };
};
