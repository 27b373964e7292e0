import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { JsonValue } from '../../codecs/json-value.js';
import type { ControlFailure } from '../../protocol/failures.js';
import type { LiveData } from '../../simulation/live-data.js';
import { providerStateCalls, type StateRefused } from '../../simulation/provider-state-calls.js';
import { ProviderStateRequest } from '../../simulation/provider-state-request.js';
import type { Simulation } from '../../simulation/simulation.js';
import { type AdminRoute, adminRoute } from './admin-route.js';

/** The control that verifiers of Pact call. */
export const pactRoutes = ({ faults, journal }: Simulation, live: LiveData): readonly AdminRoute[] => {
  const call = providerStateCalls({ live, faults, journal });
  return [
    adminRoute({
      id: 'changeProviderState',
      method: 'POST',
      path: '/pact/provider-states',
      tag: 'Pact',
      summary: 'Bring the server into a provider state, or out of it.',
      description: `For the verifiers of Pact, as \`providerStatesSetupUrl\`. The states are: ${Array.from(
        live.providerStates.keys(),
        (name) => `“${name}”`,
      ).join(', ')}.`,
      query: null,
      body: ProviderStateRequest,
      success: {
        status: 200,
        description: 'The values of the state, which a pact can have put into its requests.',
        codec: t.record(t.string, JsonValue),
      },
      failures: { 404: 'There is no such state; the message lists those that there are.' },
      handle: async ({ body }) => pipe(await call(body), E.mapLeft(refusal)),
    }),
  ];
};

const refusal = (refused: StateRefused): ControlFailure =>
  refused._tag === 'UnknownState'
    ? {
        _tag: 'ControlMissing',
        what: `provider state "${refused.name}"; state: expected one of ${refused.known.map((name) => `"${name}"`).join(', ')}`,
      }
    : { _tag: 'ControlInvalid', problems: refused.problems };
