import * as t from 'io-ts';
import { described } from '../codecs/described.js';
import { JsonValue } from '../codecs/json-value.js';
import { listOf } from '../codecs/list.js';
import { nullable } from '../codecs/nullable.js';
import { optional } from '../codecs/optional.js';

const Action = t.keyof({ setup: null, teardown: null }, 'one of setup, teardown');

/**
 * What the verifiers of Pact send: those of today the first three, the ones in Ruby the others. A verifier
 * may send more, so keys that are unknown are ignored.
 */
export const ProviderStateRequest = t.strict(
  {
    state: described(
      optional(nullable(t.string)),
      'The name of the state; empty: an interaction without one.',
    ),
    params: described(optional(nullable(t.record(t.string, JsonValue))), 'Parameters of the state.'),
    action: described(optional(Action), 'Left out: `setup`.'),
    consumer: described(optional(nullable(t.string)), 'Ignored.'),
    states: described(optional(listOf(t.string)), 'Further states, or the same one.'),
  },
  'provider state request',
);
export type ProviderStateRequest = t.TypeOf<typeof ProviderStateRequest>;

/** The states that a request names, each once. */
export const namesIn = ({ state, states = [] }: ProviderStateRequest): readonly string[] =>
  [...new Set([...(typeof state === 'string' ? [state] : []), ...states])].filter((name) => name !== '');
