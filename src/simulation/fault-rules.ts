import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { described, optional } from '../contract/codecs/combinators.js';
import { decode, formatProblem } from '../contract/codecs/problem.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { Count, Identifier, integerFrom, NumberCodec } from '../contract/codecs/text-and-numbers.js';
import { type AnyOperation, operations } from '../contract/operations.js';

/** What can go wrong with a response besides its status. */
export const FaultKind = described(
  t.keyof(
    { hang: null, drop: null, truncate: null, malformed: null, empty: null },
    'one of hang, drop, truncate, malformed, empty',
  ),
  '`hang`: no response until the client gives up; `drop`: the connection is cut in the middle of the body; `truncate`: half of the body; `malformed`: a body that is no valid JSON; `empty`: a list without rows.',
);
export type FaultKind = t.TypeOf<typeof FaultKind>;

/** The longest delay, in milliseconds: more than a day is surely a mistake. */
export const maxDelay = 24 * 60 * 60 * 1000;

/** What happens to a response: it comes later, with another status, or broken. */
export type Effect = Readonly<{
  /** The status to answer with instead; null: that of the real response. */
  code: number | null;
  delay: number;
  kind: FaultKind | null;
}>;

/** An effect in words, as headers and the journal show it: `code=503, delay=800`. */
export const effectText = ({ code, delay, kind }: Effect): string =>
  [code === null ? '' : `code=${code}`, delay === 0 ? '' : `delay=${delay}`, kind ?? '']
    .filter((part) => part !== '')
    .join(', ');

/** Too many requests: the contract does not list it, but proxies and limits send it. */
export const tooManyRequests = 429;

/** The statuses that can be simulated for an operation: those of its failures, and 429. */
export const simulatedStatuses = ({ responses }: AnyOperation): readonly number[] =>
  [...Object.keys(responses).map(Number), tooManyRequests]
    .filter((status) => status >= 400)
    .sort((left, right) => left - right);

/** Whether an operation answers with a list: one that names no single row in its path. */
export const isList = ({ pathParameters }: AnyOperation): boolean =>
  Object.keys(pathParameters.type.props).length === 0;

const all: readonly AnyOperation[] = Object.values(operations);

const operationWithId = (id?: string): AnyOperation | undefined =>
  all.find((operation) => operation.id === id);

const anySimulatedStatus: readonly number[] = [...new Set(all.flatMap(simulatedStatuses))].sort(
  (left, right) => left - right,
);

const Probability = new NumberCodec('number from 0 to 1', 'number', Number.isFinite, {
  minimum: 0,
  maximum: 1,
});

const milliseconds = integerFrom(0, maxDelay);

const ruleProps = {
  operation: described(
    optional(t.string),
    'The id of an operation, such as `listFindings`, or the method and the path of a page, such as `POST /login`. Left out: every operation.',
  ),
  tenant: described(
    optional(Identifier),
    'Only requests on behalf of the user with this id. Left out: those of everybody.',
  ),
  query: described(
    optional(t.record(t.string, t.string)),
    'Only requests with these parameters in their query. Left out: with any.',
  ),
  code: described(
    optional(integerFrom(400, 599)),
    'The status to answer with. Operations that have no such status are left alone.',
  ),
  delay: described(optional(milliseconds), 'Milliseconds to wait before the response.'),
  jitter: described(optional(milliseconds), 'Up to so many milliseconds more, at random.'),
  kind: described(optional(FaultKind.codec), FaultKind.description),
  times: described(optional(integerFrom(1)), 'How often the rule applies. Left out: for ever.'),
  after: described(optional(Count), 'How many matching requests are let through first. Left out: none.'),
  probability: described(
    optional(Probability),
    'How likely a matching request is affected. Left out: always. The same `--seed` gives the same run.',
  ),
};

/** A rule as it is posted: which requests it is about, what happens to them, and how often. */
export const NewFaultRule = new StrictObject(ruleProps, 'fault rule');
export type NewFaultRule = t.TypeOf<typeof NewFaultRule>;

/** A rule as it is listed: with its id, and what has become of it. */
export const FaultRule = new StrictObject(
  {
    id: described(t.string, 'Removes the rule: `DELETE /__admin/faults/{id}`.'),
    ...ruleProps,
    matched: described(Count, 'How many requests it was about.'),
    applied: described(Count, 'How many of them it has affected.'),
  },
  'FaultRule',
);
export type FaultRule = t.TypeOf<typeof FaultRule>;

/** The method and the path of a page. Neither the controls nor the checks of health can be made to fail. */
const isPage = (name: string): boolean =>
  /^(?:GET|POST) \/\S*$/.test(name) && !/ \/(?:__admin|api|healthz|readyz)(?:\/|$)/.test(name);

/** What is wrong with a rule that its codec accepts; one line for each problem. */
const ruleProblems = ({ operation: name, tenant, code, delay, jitter, kind }: NewFaultRule) => {
  const problems: string[] = [];
  if ([code, delay, jitter, kind].every((each) => each === undefined))
    problems.push('a rule needs a code, a delay, a jitter or a kind');
  if (code !== undefined && kind === 'empty')
    problems.push('kind "empty" cannot be combined with a code: the list would not be sent');

  const operation = operationWithId(name);
  const isForPage = name !== undefined && operation === undefined;
  if (isForPage && !isPage(name)) {
    const ids = all.map(({ id }) => id).join(', ');
    problems.push(
      `operation: expected one of ${ids}, or the method and the path of a page such as "POST /login", got ${JSON.stringify(name)}`,
    );
    return problems;
  }
  if (isForPage && kind !== undefined && kind !== 'hang')
    problems.push(`kind "${kind}" is for operations of the API`);
  if (isForPage && tenant !== undefined) problems.push('tenant is for operations of the API');

  const known = operation === undefined ? anySimulatedStatus : simulatedStatuses(operation);
  if (code !== undefined && !known.includes(code))
    problems.push(unknownCode(code, known, operation?.id ?? (isForPage ? 'a page' : 'an operation')));
  if (operation !== undefined && kind === 'empty' && !isList(operation))
    problems.push(`kind "empty" is for lists, and ${operation.id} is none`);
  return problems;
};

export const unknownCode = (code: number | string, known: readonly number[], what: string): string =>
  `code=${code}: ${what} has ${known.join(', ')}`;

type FaultRequest = Readonly<{
  /** The id of an operation, the method and the path of a page, or `otherApiPath`. */
  operation: string;
  /** On whose behalf; null: unknown, or the credentials were not valid. */
  tenant: string | null;
  query: ReadonlyMap<string, readonly string[]>;
}>;

/** A path below `/api/` that is no operation. Only delays without any condition are about it. */
export const otherApiPath = 'other';

export type AppliedRules = Effect & Readonly<{ rules: readonly string[] }>;

type Entry = NewFaultRule & { readonly id: string; matched: number; applied: number };

/** The rules that are in force; none yet. `random` decides where a rule has a probability or a jitter. */
export const faultRules = (random: () => number) => {
  let entries: readonly Entry[] = [];
  let added = 0;

  /** Counts a matching request; whether the rule affects it. */
  const takes = (entry: Entry): boolean => {
    entry.matched += 1;
    if (entry.matched <= (entry.after ?? 0) || random() >= (entry.probability ?? 1)) return false;
    entry.applied += 1;
    return true;
  };

  return {
    /** Adds a rule that a client has sent. `left`: one line for each problem. */
    add: (input: unknown): E.Either<readonly string[], FaultRule> =>
      pipe(
        decode(NewFaultRule, input),
        E.mapLeft((problems) => problems.map(formatProblem)),
        E.flatMap((rule) => {
          const problems = ruleProblems(rule);
          if (problems.length > 0) return E.left(problems);
          added += 1;
          const entry: Entry = { id: `fault-${added}`, ...rule, matched: 0, applied: 0 };
          entries = [...entries, entry];
          return E.right({ ...entry });
        }),
      ),
    /** All rules, in the order in which they were added; those that have had their turn stay in the list. */
    list: (): readonly FaultRule[] => entries.map((entry) => ({ ...entry })),
    /** False: there is no such rule. */
    remove: (id: string): boolean => {
      const before = entries.length;
      entries = entries.filter((entry) => entry.id !== id);
      return entries.length < before;
    },
    clear: (): void => {
      entries = [];
    },
    areActive: (): boolean => !entries.every(isSpent),
    /** Whether a rule that may still apply to this operation or page names a tenant. */
    needTenant: (operation: string): boolean =>
      entries.some((entry) => !isSpent(entry) && entry.tenant !== undefined && isAbout(entry, operation)),
    /**
     * Counts a request, and says what happens to it; null: nothing. Delays add up; of several codes and
     * kinds, those of the rule count that was added last.
     */
    apply: (request: FaultRequest): AppliedRules | null => {
      const rules: string[] = [];
      let [code, kind]: [Effect['code'], Effect['kind']] = [null, null];
      let delay = 0;
      for (const entry of entries.toReversed()) {
        const hasOutcome = entry.code !== undefined || entry.kind !== undefined;
        const isDecided = code !== null || kind !== null;
        if (isSpent(entry) || (hasOutcome && isDecided) || !matches(entry, request) || !takes(entry))
          continue;
        rules.push(entry.id);
        code ??= entry.code ?? null;
        kind ??= entry.kind ?? null;
        delay += (entry.delay ?? 0) + Math.round(random() * (entry.jitter ?? 0));
      }
      return rules.length === 0 ? null : { code, delay, kind, rules };
    },
  };
};

export type FaultRules = ReturnType<typeof faultRules>;

const isSpent = ({ times, applied }: Entry): boolean => times !== undefined && applied >= times;

/** Whether a rule is about an operation or a page. Pages are only touched by rules that name them. */
const isAbout = (rule: NewFaultRule, name: string): boolean => {
  if (rule.operation !== undefined) return rule.operation === name;
  if (name === otherApiPath) return rule.code === undefined && rule.kind === undefined;
  const operation = operationWithId(name);
  if (operation === undefined) return false;
  if (rule.code !== undefined && !simulatedStatuses(operation).includes(rule.code)) return false;
  return rule.kind !== 'empty' || isList(operation);
};

const matches = (rule: NewFaultRule, { operation, tenant, query }: FaultRequest): boolean =>
  isAbout(rule, operation) &&
  (rule.tenant === undefined || rule.tenant === tenant) &&
  Object.entries(rule.query ?? {}).every(([name, value]) => query.get(name)?.[0] === value);

/** Numbers from 0 up to 1 that look random: a run with the same seed has the same ones (mulberry32). */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};
