import * as E from '#fp-ts/Either';
import type { FaultRules } from './fault-rules.js';
import type { Journal } from './journal.js';
import type { LiveData } from './live-data.js';
import { namesIn, type ProviderStateRequest } from './provider-state-request.js';
import { type SetUp, setUpState } from './provider-state-setup.js';
import type { Values } from './substitute.js';

/** Why a state cannot be set up. */
export type StateRefused =
  | Readonly<{ _tag: 'UnknownState'; name: string; known: readonly string[] }>
  | Readonly<{ _tag: 'StateFailed'; problems: readonly string[] }>;

/** Carries out what a verifier asks for; `right`: the values of the states. */
export type ProviderStateCalls = (request: ProviderStateRequest) => Promise<E.Either<StateRefused, Values>>;

type Dependencies = Readonly<{ live: LiveData; faults: FaultRules; journal: Journal }>;

type Active = SetUp & Readonly<{ name: string }>;

/**
 * Sets provider states up and tears them down, one call after the other. Not every verifier sends teardowns:
 * the first set-up after a request undoes what earlier states have done to everybody. The tenants that they
 * have made disturb nobody, and end by themselves.
 */
export const providerStateCalls = ({ live, faults, journal }: Dependencies): ProviderStateCalls => {
  let active: readonly Active[] = [];
  let seen = 0;
  let last: Promise<unknown> = Promise.resolve();
  const requests = (): number => journal.notes().at(-1)?.number ?? 0;

  const setUp: ProviderStateCalls = async (request) => {
    const names = namesIn(request);
    const known = Array.from(live.providerStates.keys());
    const unknown = names.find((name) => !live.providerStates.has(name));
    if (unknown !== undefined) return E.left({ _tag: 'UnknownState', name: unknown, known });
    if (requests() !== seen) {
      for (const { restore } of active.toReversed()) await restore();
      active = [];
      seen = requests();
    }
    let values: Values = {};
    const done: Active[] = [];
    for (const name of names) {
      const state = await setUpState(
        { live, faults },
        live.providerStates.get(name) ?? {},
        request.params ?? {},
      );
      if (E.isLeft(state)) {
        await tearDownAll(done);
        return E.left({ _tag: 'StateFailed', problems: state.left });
      }
      done.push({ ...state.right, name });
      values = { ...values, ...state.right.values };
    }
    active = [...active, ...done];
    return E.right(values);
  };

  /** What has been undone, or was never set up, is nothing to tear down. */
  const tearDown: ProviderStateCalls = async (request) => {
    for (const name of namesIn(request).toReversed()) {
      const state = active.findLast((each) => each.name === name);
      if (state === undefined) continue;
      active = active.filter((each) => each !== state);
      await tearDownAll([state]);
    }
    return E.right({});
  };

  return (request) => {
    const result = last.then(() => (request.action === 'teardown' ? tearDown(request) : setUp(request)));
    last = result.catch(() => {});
    return result;
  };
};

const tearDownAll = async (states: readonly SetUp[]): Promise<void> => {
  for (const { restore, removeTenant } of states.toReversed()) {
    await restore();
    await removeTenant();
  }
};
