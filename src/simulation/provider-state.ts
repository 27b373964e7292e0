import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { type Json, JsonValue } from '../codecs/json-value.js';
import { listOf } from '../codecs/list.js';
import { optional } from '../codecs/optional.js';
import { describe, mismatch, type Problem, problem, problemsOf } from '../codecs/problem.js';
import { StrictObject } from '../codecs/strict-object.js';
import { NewFaultRule, ruleProblems } from './fault-rule.js';
import { decodeNewTenant, type TenantRequest } from './on-demand-tenant.js';
import { type ClockChange, decodeClockChange } from './simulated-clock.js';
import { substituted, type Values } from './substitute.js';

const JsonRecord = t.record(t.string, JsonValue, 'an object');

/**
 * What brings a server into a state. Texts may have `{{name}}` in them, for a parameter or for a value of the
 * tenant, so that the parts are decoded only when those are known.
 */
export const ProviderState = new StrictObject(
  {
    description: optional(t.string),
    /** The parameters, each with its default. */
    params: optional(JsonRecord),
    reset: optional(t.boolean),
    clock: optional(JsonValue),
    tenant: optional(JsonValue),
    patch: optional(JsonValue),
    faults: optional(listOf(JsonValue)),
    values: optional(JsonRecord),
  },
  'provider state',
);
export type ProviderState = Partial<t.TypeOf<typeof ProviderState>>;

/** Provider states by their names. */
export type ProviderStates = ReadonlyMap<string, ProviderState>;

/** A state with all values in their places. */
export type ResolvedState = Readonly<{
  clock: ClockChange | null;
  /** A tenant of the fixtures, one that is made, or none. */
  tenant: string | TenantRequest | null;
  patch: Json | undefined;
  faults: readonly NewFaultRule[];
  values: Values;
}>;

/** What a tenant gives to a state, with values that only show their form. */
export const exampleValues: Values = {
  userId: 'usr_example',
  email: 'user@tenant.test',
  name: 'User',
  password: 'a-password',
  session: 'a-session',
  token: 'a-token',
};

/** Puts values in their places, and decodes the parts. `left`: every problem. */
export const resolveState = (
  { params: _, description: __, reset: ___, ...parts }: ProviderState,
  values: Values,
): E.Either<readonly Problem[], ResolvedState> => {
  const put = pipe(
    substituted(partsOf(parts), values),
    E.flatMap((replaced) => E.mapLeft(problemsOf)(ProviderState.decode(replaced))),
  );
  if (E.isLeft(put)) return put;
  const { clock, tenant, patch, faults = [], values: returned = {} } = put.right;
  const decodedClock = clock === undefined ? E.right(null) : decodeClockChange(clock);
  const decodedTenant = tenant === undefined ? E.right(null) : decodeTenant(tenant);
  const rules = listOf(NewFaultRule).decode(faults);
  const problems = [
    ...(E.isLeft(decodedClock) ? within('clock', decodedClock.left) : []),
    ...(E.isLeft(decodedTenant) ? within('tenant', decodedTenant.left) : []),
    ...(E.isLeft(rules) ? within('faults', problemsOf(rules.left)) : rules.right.flatMap(problemsOfRule)),
    ...(patch === undefined ? [] : patchProblems(patch, tenant !== undefined)),
  ];
  if (problems.length > 0 || E.isLeft(decodedClock) || E.isLeft(decodedTenant) || E.isLeft(rules))
    return E.left(problems);
  return E.right({
    clock: decodedClock.right,
    tenant: decodedTenant.right,
    patch,
    faults: rules.right,
    values: returned,
  });
};

/** The parts that are there. */
const partsOf = (parts: Readonly<Record<string, Json | undefined>>): Values =>
  Object.fromEntries(
    Object.entries(parts).flatMap(([name, part]) => (part === undefined ? [] : [[name, part] as const])),
  );

const decodeTenant = (tenant: unknown): E.Either<readonly Problem[], string | TenantRequest> => {
  if (typeof tenant === 'string') return E.right(tenant);
  return t.UnknownRecord.is(tenant)
    ? decodeNewTenant(tenant)
    : E.left([mismatch([], 'the name of a tenant, or an object that describes a new one', describe(tenant))]);
};

const problemsOfRule = (rule: NewFaultRule, index: number): readonly Problem[] =>
  ruleProblems(rule).map((text) => problem(['faults', String(index)], text));

const patchProblems = (patch: unknown, hasTenant: boolean): readonly Problem[] => {
  if (typeof patch !== 'object' || patch === null)
    return [mismatch(['patch'], 'a JSON patch (a list) or a merge patch (an object)', describe(patch))];
  return hasTenant ? [] : [problem(['patch'], 'a patch needs a tenant: say which, under tenant')];
};

const within = (name: string, problems: readonly Problem[]): readonly Problem[] =>
  problems.map(({ path, ...rest }) => ({ ...rest, path: [name, ...path] }));

/**
 * Decodes provider states: an object with a state under each name. Takes JSON. A state has to be valid with
 * the defaults of its parameters; `left`: every problem.
 */
export const decodeProviderStates = (value: unknown): E.Either<readonly Problem[], ProviderStates> => {
  if (!t.UnknownRecord.is(value))
    return E.left([mismatch([], 'an object with a provider state under each name', describe(value))]);
  const problems: Problem[] = [];
  const states = new Map<string, ProviderState>();
  for (const [name, declared] of Object.entries(value)) {
    const decoded = ProviderState.decode(declared);
    const resolved = E.isLeft(decoded)
      ? E.left(problemsOf(decoded.left))
      : resolveState(decoded.right, { ...exampleValues, ...decoded.right.params });
    if (name.trim() === '') problems.push(problem([name], 'the name of a state must not be empty'));
    if (E.isLeft(resolved)) problems.push(...within(name, resolved.left));
    else if (E.isRight(decoded)) states.set(name, decoded.right);
  }
  return problems.length > 0 ? E.left(problems) : E.right(states);
};
