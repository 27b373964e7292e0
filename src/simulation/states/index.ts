// The entry `triage-api/states`: every state that the API can put a page into, by name (docs/states.md).

import { type AnyOperation, operations } from '../../contract/operations.js';
import { defaultLimit } from '../../contract/page-and-limit.js';
import type { FixtureData } from '../../fixtures/fixture-format.js';
import type { Exchange } from '../exchange.js';
import type { NewFaultRule } from '../fault-rules.js';
import { credentialStates, failureStates } from './failure-states.js';
import { fieldStates } from './field-states.js';
import { listStates } from './list-states.js';
import { rowsOf, withRows } from './rows.js';
import {
  type Draft,
  isOperationId,
  type OperationId,
  type State,
  type StateRecipe,
  viewOf,
} from './state.js';

export { type Case, casesOf } from './cases.js';
export type { Exchange, OperationId, State, StateRecipe };

type Options = Readonly<{
  /** How many rows the page under test asks for. Default: 25. */
  limit?: number | undefined;
  /** The operations that it uses, or other ones with their ids. Default: all. */
  operations?: readonly (OperationId | AnyOperation)[];
}>;

/** Every state, of the operations that are chosen. */
export const statesOf = ({ limit = defaultLimit, operations: chosen }: Options = {}): readonly State[] => {
  const used = (chosen ?? Object.values(operations)).map((each) =>
    typeof each === 'string' ? operations[each] : each,
  );
  const drafts: readonly Draft[] = [
    {
      id: 'ordinary',
      sentence: 'Nothing is unusual.',
      group: 'values',
      operations: used.map(({ id }) => id).filter(isOperationId),
      make: {},
      seen: ({ status }) => status === 200,
    },
    ...fieldStates(used),
    ...used.flatMap((operation) => listStates(operation, limit)),
    ...credentialStates(used),
    ...used.flatMap(failureStates),
  ];
  return drafts.filter((draft) => draft.operations.length > 0).map(stateOf);
};

const stateOf = ({ seen, isBroken = false, ...draft }: Draft): State => ({
  place: null,
  section: null,
  keepsContract: true,
  expects: 'data',
  ...draft,
  // Without amounts, a recipe is about a copy of a fixture.
  make: { amounts: {}, ...draft.make },
  seen: (exchange, earlier) => {
    if (!isBroken && exchange.end !== 'written') return false;
    if (!draft.operations.some((id) => id === exchange.operation)) return false;
    const before = earlier.findLast(({ operation }) => operation === exchange.operation);
    return seen(viewOf(exchange), before && viewOf(before));
  },
});

/**
 * The content of a fixture file that is in a state: ordinary rows, or those of `base`, and what the state
 * changes in them.
 */
export const fixtureOf = ({ make }: Pick<State, 'make'>, base?: FixtureData): FixtureData =>
  withRows(base ?? rowsOf(make.amounts), make.patch ?? {});

/** The paths with queries that a client has to ask for, so that an operation shows a state. */
export const requestsOf = ({ make }: Pick<State, 'make'>, id: OperationId): readonly string[] => {
  const { path, pathParameters } = operations[id];
  const finding = make.patch?.findings === undefined ? 'fix_0' : 'fix_unusual';
  const inPath = Object.keys(pathParameters.type.props);
  return (make.client?.asks ?? [{}]).map((asked) => {
    const filled = inPath.reduce(
      (left, name) => left.replace(`{${name}}`, encodeURIComponent(asked[name] ?? finding)),
      `${path}`,
    );
    const query = new URLSearchParams(Object.entries(asked).filter(([name]) => !inPath.includes(name)));
    return query.size === 0 ? filled : `${filled}?${query}`;
  });
};

/** The controls of a server elsewhere, or those of a handler or a server of one's own. */
type Controls<T> =
  | Readonly<{ setFixtures?: undefined; createTenant: (recipe: StateRecipe) => Promise<T> }>
  | Readonly<{
      setFixtures: (fixture: FixtureData) => Promise<readonly T[]>;
      setCredentials: (states: NonNullable<StateRecipe['credentials']>) => Promise<void>;
      faults: Readonly<{ add: (rule: Partial<NewFaultRule>) => unknown; clear: () => unknown }>;
    }>;

/**
 * Puts a tenant into a state, and returns it: a new one of a server elsewhere; or else the only one, whose
 * data and rules are replaced. What the client has to do stays to be done.
 */
export const enter = async <T>(state: Pick<State, 'make'>, controls: Controls<T>): Promise<T | undefined> => {
  const { rules = [], credentials = {} } = state.make;
  if (controls.setFixtures === undefined) return controls.createTenant(state.make);
  await controls.faults.clear();
  const [tenant] = await controls.setFixtures(fixtureOf(state));
  for (const rule of rules) await controls.faults.add(rule);
  await controls.setCredentials(credentials);
  return tenant;
};

/** Collects which of some states exchanges show. What has been seen is not looked for again. */
export const seenIn = (states: readonly State[]) => {
  const unseen = new Map(states.map((state) => [state.id, state]));
  let noted: readonly Exchange[] = [];
  return {
    /**
     * Takes one more exchange, and returns the ids of the states that it is the first to show. `earlier`:
     * what came before it, if not what was taken.
     */
    add: (exchange: Exchange, earlier = noted): readonly string[] => {
      const found = Array.from(unseen.values()).filter(({ seen }) => seen(exchange, earlier));
      for (const { id } of found) unseen.delete(id);
      noted = [...noted.slice(-maxEarlier), exchange];
      return found.map(({ id }) => id);
    },
    unseen: (): readonly State[] => Array.from(unseen.values()),
  };
};

/** How many earlier exchanges predicates may look at. */
const maxEarlier = 50;
