import * as E from '#fp-ts/Either';
import { type TenantIndex, tenantIndex } from '../../api/tenant-index.js';
import { JsonValue } from '../../common/json.js';
import { didYouMean } from '../../common/messages.js';
import { decode, formatProblem, type Problem, problem } from '../../contract/codecs/problem.js';
import type { AnyOperation } from '../../contract/operations.js';
import { completeFixture } from '../../fixtures/complete-fixture.js';
import { dateShift, shiftRows } from '../../fixtures/shift-dates.js';
import { type Effect, effectOf } from '../effect.js';
import { MergePatch, mergePatch } from '../patches.js';
import { type Recipe, Recipe as RecipeCodec } from '../recipe.js';
import { fixtureOf, type State, statesOf } from './index.js';
import { Amounts, rowsOf } from './rows.js';

/** The state with a name. `left`: that there is none, and what may be meant. */
export const stateNamed = (
  id: string,
  options: Parameters<typeof statesOf>[0] = {},
): E.Either<string, State> => {
  const states = statesOf(options);
  const ids = states.map((state) => state.id);
  const found = states[ids.indexOf(id)];
  return found === undefined ? E.left(`no state is called "${id}"${didYouMean(id, ids)}`) : E.right(found);
};

/** A recipe with what the state that it names adds to it, and with the rows of its amounts. */
export const withState = (recipe: Recipe): E.Either<readonly Problem[], Recipe> => {
  const { state: id, limit, amounts, from, fixture, patch, rules = [], credentials, ...others } = recipe;
  const state = id === undefined ? E.right({ make: {} }) : stateNamed(id, { limit });
  if (E.isLeft(state)) return E.left([problem(['state'], state.left)]);
  const decoded = decode(RecipeCodec, state.right.make);
  if (E.isLeft(decoded)) return decoded;
  const { ttl: _, ...made } = decoded.right;
  const isOwn = from !== undefined || fixture !== undefined;
  if (isOwn && amounts !== undefined)
    return E.left([problem(['amounts'], 'says how many rows there are, and so do `from` and `fixture`')]);
  if (made.amounts !== undefined && (isOwn || amounts !== undefined))
    return E.left([
      problem(['state'], `says how many rows there are: leave out \`from\`, \`fixture\` and \`amounts\``),
    ]);
  const counts = decode(Amounts, amounts ?? made.amounts ?? {});
  if (E.isLeft(counts))
    return E.left(counts.left.map((each) => ({ ...each, path: ['amounts', ...each.path] })));
  const rows: unknown = rowsOf(counts.right);
  const changes = mergePatch(made.patch ?? {}, patch ?? {});
  return E.right({
    ...made,
    ...others,
    ...(isOwn ? { from, fixture } : JsonValue.is(rows) && { fixture: rows }),
    ...(MergePatch.is(changes) && { patch: changes }),
    rules: [...(made.rules ?? []), ...rules],
    credentials: credentials ?? made.credentials,
  });
};

/** What a state makes of one request: rows, or what a rule would do. `left`: why that cannot be. */
export const preferredState = (
  id: string,
  operation: AnyOperation,
  { limit, now }: Readonly<{ limit: number | undefined; now: number }>,
): E.Either<string, Readonly<{ effect: Effect | null; rows: TenantIndex | null }>> => {
  const state = stateNamed(id, { limit, operations: [operation] });
  if (E.isLeft(state)) return state;
  const { rules: [rule] = [], client, credentials } = state.right.make;
  if (client?.signIn !== undefined || credentials !== undefined || (client?.asks?.length ?? 1) > 1)
    return E.left(`"${id}" is not about one request: make a tenant in this state`);
  if (rule !== undefined) return E.right({ effect: effectOf(rule), rows: null });
  const whole = completeFixture(fixtureOf(state.right), 'state');
  if (E.isLeft(whole)) return E.left(whole.left.map(formatProblem).join('; '));
  const dated = shiftRows(whole.right, dateShift(whole.right.asOf, now));
  return E.right({ effect: null, rows: tenantIndex(dated) });
};
