import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { unknownOperation } from '../api/request.js';
import { JsonValue } from '../common/json.js';
import { expectedOneOf } from '../common/messages.js';
import type { Later } from '../common/timers.js';
import { described, nullable, optional } from '../contract/codecs/combinators.js';
import { decode, formatProblem } from '../contract/codecs/problem.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { Count, integerFrom, NumberCodec, StringCodec } from '../contract/codecs/text-and-numbers.js';
import { type AnyOperation, operations } from '../contract/operations.js';
import { type Effect, effectOf, FaultKind, isList } from './effect.js';
import { isPage, type KnownNames, noOperation, standsFor, tenantNames } from './known-names.js';
import { MergePatch } from './patches.js';

/** The longest delay, in milliseconds: more than a day is surely a mistake. */
export const maxDelay = 24 * 60 * 60 * 1000;

/** How many rules there may be, and how long they may be together as JSON, in bytes. */
const maxRules = 1000;
const maxBytes = 4 * 2 ** 20;

const all: readonly AnyOperation[] = Object.values(operations);

const operationWithId = (id?: string): AnyOperation | undefined =>
  all.find((operation) => operation.id === id);

/** The name of a header that a rule may send: not those that say where a message ends. */
const isOwnHeader = (name: string): boolean =>
  /^[\w-]{1,100}$/.test(name) &&
  !/^(?:connection|content-length|keep-alive|te|trailer|transfer-encoding|upgrade|x-triage-simulated)$/i.test(
    name,
  );

const HeaderValue = new StringCodec('the value of a header: visible ASCII characters and spaces', {
  pattern: /^[ -~]*$/,
  maxLength: 4000,
});

const Probability = new NumberCodec('number from 0 to 1', 'number', Number.isFinite, {
  minimum: 0,
  maximum: 1,
});

const Code = new NumberCodec(
  '200 or a status from 300 to 599',
  'integer',
  (u) => integerFrom(300, 599).is(u) || u === 200,
  { minimum: 200, maximum: 599 },
);

const milliseconds = integerFrom(0, maxDelay);

const ruleProps = {
  operation: described(
    optional(t.string),
    'The id of an operation, such as `listFindings`, or the method and the path of a page, such as `POST /login`. Left out: every operation.',
  ),
  tenant: described(
    optional(t.string),
    `Only requests on behalf of this tenant: ${tenantNames}. Rules are listed with the id. Left out: the requests of everybody.`,
  ),
  query: described(
    optional(t.record(t.string, t.string)),
    'Only requests with these parameters in their query. Left out: with any.',
  ),
  requestHeaders: described(
    optional(t.record(t.string, t.string)),
    'Only requests with these headers. Left out: with any.',
  ),
  code: described(
    optional(Code),
    'The status to answer with: of a failure, of a redirect, with the header `location`, or 200, with a `body`.',
  ),
  alter: described(
    optional(JsonValue),
    'What is changed in the body of a 200: a merge patch (RFC 7396), such as `{ "totalItems": "many" }`.',
  ),
  body: described(
    optional(JsonValue),
    'The body to answer with: a text is sent as it is, everything else as JSON. Left out: the body that the operation has for the status, or else one with an `error`.',
  ),
  headers: described(
    optional(t.record(t.string, nullable(HeaderValue))),
    'Headers of that answer, such as `Content-Type` for a text; without a status, those of a 200. Null leaves one out.',
  ),
  retryAfter: described(optional(Count), 'Seconds for the header `Retry-After` of that answer.'),
  delay: described(optional(milliseconds), 'Milliseconds to wait before the response.'),
  jitter: described(optional(milliseconds), 'Up to so many milliseconds more, at random.'),
  bytesPerSecond: described(optional(integerFrom(1)), 'How fast the body is sent. Left out: at once.'),
  kind: described(optional(FaultKind.codec), FaultKind.description),
  then: described(
    optional(new StrictObject({ patch: MergePatch }, 'then')),
    'How the data of the tenant changes once the rule has applied `times` times, or once: a merge patch of its fixture file.',
  ),
  off: described(optional(t.boolean), 'Whether the rule is switched off: it neither applies nor counts.'),
  times: described(optional(integerFrom(1)), 'How often the rule applies. Left out: for ever.'),
  after: described(
    optional(Count),
    'How many matching requests pass before the rule applies. Left out: none.',
  ),
  every: described(
    optional(integerFrom(1)),
    'Which of the matching requests after those the rule applies to: with 3, every third. Left out: all.',
  ),
  probability: described(
    optional(Probability),
    'How likely a matching request is affected. Left out: always. The same `--seed` gives the same run.',
  ),
};

const finding = 'Only requests for the finding with this id. Left out: for any.';

/** A rule as it is posted: which requests it is about, what happens to them, and how often. */
export const NewFaultRule = new StrictObject(
  { id: described(optional(t.string), finding), ...ruleProps },
  'fault rule',
);
type SentRule = t.TypeOf<typeof NewFaultRule>;

/**
 * A rule in a program, where the compiler refuses a misspelt operation. The codec takes any text, so that the
 * message can have the nearest one.
 */
export type NewFaultRule = Omit<SentRule, 'operation'> &
  Readonly<{
    operation?: keyof typeof operations | `${'GET' | 'POST'} /${string}` | undefined;
  }>;

/** A rule as it is listed: with its id, and what has become of it. */
export const FaultRule = new StrictObject(
  {
    id: described(t.string, 'Removes the rule: `DELETE /__admin/faults/{id}`.'),
    finding: described(optional(t.string), finding),
    ...ruleProps,
    matched: described(Count, 'How many requests it was about.'),
    applied: described(Count, 'How many of them it has affected.'),
  },
  'FaultRule',
);
export type FaultRule = t.TypeOf<typeof FaultRule>;

/** A rule as it is kept: its own id is another one. */
type KeptRule = Omit<FaultRule, 'id' | 'matched' | 'applied'>;

/** What is wrong with a rule that its codec accepts; a line for each problem. `pages`: all that there are. */
const ruleProblems = (rule: SentRule, pages: ReturnType<KnownNames['pages']>) => {
  const { operation: name, code, delay, jitter, kind, alter, headers } = rule;
  const problems: string[] = [];
  if (!hasOutcome(rule) && [delay, jitter, rule.then].every((each) => each === undefined))
    problems.push('a rule needs a code, a delay, a jitter, a kind, headers, bytesPerSecond, alter or then');
  if (code === 200 && rule.body === undefined)
    problems.push('code 200 needs a body, such as "" for an empty one');
  if (code !== undefined && code >= 300 && code < 400) {
    const hasTarget = Object.entries(headers ?? {}).some(([name, to]) => to && /^location$/i.test(name));
    if (code === 304) problems.push('code: 304 is the answer to `If-None-Match`, and not simulated');
    else if (!hasTarget) problems.push(`code ${code} is a redirect, and needs the header "location"`);
  }
  if (code !== undefined && kind === 'empty')
    problems.push('kind "empty" cannot be combined with a code: the list would not be sent');
  const statusOfKind = effectOf({ kind }).code;
  if (code !== undefined && statusOfKind !== null)
    problems.push(`kind "${kind}" cannot be combined with a code: it is a ${statusOfKind}`);
  const isSuccess = code === undefined && statusOfKind === null;
  for (const key of ['body', 'headers', 'retryAfter'] as const) {
    const isOfSuccess = key === 'headers' && kind === undefined;
    if (isSuccess && !isOfSuccess && rule[key] !== undefined) problems.push(`${key} needs a code`);
  }
  if (alter !== undefined && (!isSuccess || kind !== undefined))
    problems.push('alter changes a 200, and cannot be combined with a code or a kind');

  for (const header of Object.keys(rule.headers ?? {}))
    if (!isOwnHeader(header)) problems.push(`headers: ${JSON.stringify(header)} cannot be sent by a rule`);

  const operation = operationWithId(name);
  const isForPage = name !== undefined && operation === undefined;
  if (isForPage && !(isPage(name) && (pages?.some((page) => standsFor(page, name)) ?? true))) {
    problems.push(`operation: ${noOperation(name, pages?.filter(isPage) ?? [])}`);
    return problems;
  }
  if (isForPage && kind !== undefined && !isOfConnection(kind) && statusOfKind === null)
    problems.push(`kind "${kind}" is for operations of the API`);
  if (isForPage)
    for (const key of ['alter', 'bytesPerSecond', 'id'] as const)
      if (rule[key] !== undefined) problems.push(`${key} is for operations of the API`);
  if (isForPage && isSuccess && headers !== undefined) problems.push('headers of a page need a code');
  if (operation !== undefined && rule.id !== undefined && isList(operation))
    problems.push(`id is for one finding, and ${operation.id} is a list`);

  if (operation !== undefined && kind === 'empty' && !isList(operation))
    problems.push(`kind "empty" is for lists, and ${operation.id} is none`);

  // What a page reads from its query is not known here.
  const parameters = isForPage ? null : parametersOf(operation === undefined ? all : [operation]);
  for (const parameter of Object.keys(rule.query ?? {}))
    if (parameters?.includes(parameter) === false)
      problems.push(`query: ${expectedOneOf(parameter, parameters)}`);
  return problems;
};

/** The parameters that some operations take in the query. */
const parametersOf = (some: readonly AnyOperation[]): readonly string[] =>
  Array.from(new Set(some.flatMap(({ queryParameters }) => Object.keys(queryParameters.type.props))));

type FaultRequest = Readonly<{
  /** The id of an operation, the method and the path of a page, or `unknownOperation`. */
  operation: string;
  /** The id in the path, if there is one. */
  id?: string | undefined;
  /** On whose behalf; null: unknown, or the credentials were not valid. */
  tenant: string | null;
  query: ReadonlyMap<string, readonly string[]>;
  /** By their names in lower case. */
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}>;

/** A change of the data that follows a response. `tenant`: whose; left out: of whoever sent the request. */
type Change = Readonly<{ rule: string; tenant: string | undefined; patch: t.TypeOf<typeof MergePatch> }>;

/** What rules do to a request. `hold`: waits for the end of the rule that holds the response. */
export type AppliedRules = Effect &
  Readonly<{ rules: readonly string[]; hold: Later | null; changes: readonly Change[] }>;

type Entry = KeptRule & { readonly id: string; matched: number; applied: number };

const bytesOf = (rule: object): number => new TextEncoder().encode(JSON.stringify(rule)).length;

/** The rules that are in force; none yet. `random` decides where a rule has a probability or a jitter. */
export const faultRules = (
  random: () => number,
  names: Pick<KnownNames, 'pages' | 'withTenantId' | 'patchProblems'>,
) => {
  let entries: readonly Entry[] = [];
  let added = 0;
  /** What waits for the end of a rule, by its id. */
  const waiting = new Map<string, Set<() => void>>();

  /** Keeps these rules, and lets go what the others hold. */
  const keep = (next: readonly Entry[]): void => {
    entries = next;
    const ids = new Set(next.filter(({ off }) => off !== true).map(({ id }) => id));
    for (const [id, tasks] of Array.from(waiting)) if (!ids.has(id)) for (const task of tasks) task();
  };
  const untilRemoved =
    (id: string): Later =>
    (_, task) => {
      const tasks = waiting.get(id) ?? new Set();
      waiting.set(id, tasks.add(task));
      return () => {
        tasks.delete(task);
        if (tasks.size === 0) waiting.delete(id);
      };
    };

  /** Whether one more rule is one too many, even without those that have had their turn. */
  const isTooMuch = (rule: SentRule): boolean => {
    const exceeds = (): boolean =>
      entries.length >= maxRules ||
      entries.reduce((sum, entry) => sum + bytesOf(entry), bytesOf(rule)) > maxBytes;
    if (exceeds()) keep(entries.filter((entry) => !isSpent(entry) || waiting.has(entry.id)));
    return exceeds();
  };

  /** Counts a matching request; whether the rule affects it. */
  const takes = (entry: Entry): boolean => {
    entry.matched += 1;
    const turn = entry.matched - (entry.after ?? 0);
    if (turn <= 0 || turn % (entry.every ?? 1) !== 0 || random() >= (entry.probability ?? 1)) return false;
    entry.applied += 1;
    return true;
  };

  /** A rule that a client has sent, as it is kept. `left`: one line for each problem. */
  const checked = (input: unknown): E.Either<readonly string[], KeptRule> => {
    const decoded = decode(NewFaultRule, input);
    if (E.isLeft(decoded)) return E.left(decoded.left.map(formatProblem));
    const problems = ruleProblems(decoded.right, names.pages());
    const rule = names.withTenantId(decoded.right);
    if (E.isLeft(rule)) return E.left([...problems, `tenant: ${rule.left}`]);
    const { tenant, then } = rule.right;
    if (then !== undefined) problems.push(...names.patchProblems(tenant, then.patch));
    if (problems.length > 0) return E.left(problems);
    if (isTooMuch(rule.right))
      return E.left([`there are at most ${maxRules} rules, of 4 MB together: remove some`]);
    const { id: finding, ...kept } = rule.right;
    return E.right({ ...kept, finding });
  };

  return {
    /** Adds a rule that a client has sent. `left`: one line for each problem. */
    add: (input: unknown): E.Either<readonly string[], FaultRule> =>
      E.map((rule: KeptRule) => {
        added += 1;
        const entry: Entry = { ...rule, id: `fault-${added}`, matched: 0, applied: 0 };
        entries = [...entries, entry];
        return { ...entry };
      })(checked(input)),
    /** Puts another rule in the place of one; it goes on counting, unless that had had its turn. */
    replace: (id: string, input: unknown): E.Either<readonly string[], FaultRule> | null => {
      const before = entries.find((entry) => entry.id === id);
      if (before === undefined) return null;
      return E.map((rule: KeptRule) => {
        const { matched, applied } = isSpent(before) ? { matched: 0, applied: 0 } : before;
        const entry: Entry = { ...rule, id, matched, applied };
        keep(entries.map((each) => (each === before ? entry : each)));
        return { ...entry };
      })(checked(input));
    },
    /**
     * All rules, or those of a user id, the oldest first; those that have had their turn stay while there is
     * room.
     */
    list: (tenant?: string): readonly FaultRule[] =>
      entries.filter((entry) => isOf(entry, tenant)).map((entry) => ({ ...entry })),
    /** Puts back rules that were listed before: they go on counting. */
    restore: (listed: readonly FaultRule[]): void => {
      keep(listed.map((rule) => ({ ...rule })));
      added = Math.max(0, ...listed.map(({ id }) => Number(id.split('-')[1])));
    },
    /** Removes a rule, of any tenant or of a user id; false if there is none with this id. */
    remove: (id: string, tenant?: string): boolean => {
      const before = entries.length;
      keep(entries.filter((entry) => entry.id !== id || !isOf(entry, tenant)));
      return entries.length < before;
    },
    /** Removes all rules, or those of a user id. */
    clear: (tenant?: string): void => {
      keep(entries.filter((entry) => !isOf(entry, tenant)));
    },
    areActive: (): boolean => !entries.every(isIdle),
    /** Whether a rule that may still apply to this operation or page names a tenant. */
    needTenant: (operation: string): boolean =>
      entries.some((entry) => !isIdle(entry) && entry.tenant !== undefined && isAbout(entry, operation)),
    /**
     * Counts a request, and says what happens to it; null: nothing. Delays add up; of several codes, kinds
     * and alterations, those of the rule count that was added last.
     */
    apply: (request: FaultRequest): AppliedRules | null => {
      const rules: string[] = [];
      const changes: Change[] = [];
      let decisive: Entry | undefined;
      let delay = 0;
      for (const entry of entries.toReversed()) {
        const isLate = hasOutcome(entry) && decisive !== undefined;
        if (isIdle(entry) || isLate || !matches(entry, request) || !takes(entry)) continue;
        const { id, tenant, then, times = 1, applied } = entry;
        rules.push(id);
        if (then !== undefined && applied === times) changes.push({ rule: id, tenant, patch: then.patch });
        if (hasOutcome(entry)) decisive = entry;
        delay += (entry.delay ?? 0) + Math.round(random() * (entry.jitter ?? 0));
      }
      if (rules.length === 0) return null;
      const hold = decisive?.kind === 'hold' ? untilRemoved(decisive.id) : null;
      return { ...effectOf({ ...decisive, delay }), rules, hold, changes };
    },
  };
};

export type FaultRules = ReturnType<typeof faultRules>;

/** Whether a rule is for the user id alone; undefined: for whomever. */
const isOf = (rule: KeptRule, tenant: string | undefined): boolean =>
  tenant === undefined || rule.tenant === tenant;

const isIdle = (entry: Entry): boolean => entry.off === true || isSpent(entry);

const isSpent = ({ times, applied }: Entry): boolean => times !== undefined && applied >= times;

/** Whether a rule changes what is answered, and not only when, or what comes after. */
const hasOutcome = ({ code, kind, alter, headers, bytesPerSecond }: Partial<KeptRule>): boolean =>
  [code, kind, alter, headers, bytesPerSecond].some((each) => each !== undefined);

/** Whether a kind is about the connection, whatever is answered. */
const isOfConnection = (kind: FaultKind): boolean => ['hang', 'hold', 'drop'].includes(kind);

/** Whether a rule is about an operation or a page. Pages are only touched by rules that name them. */
const isAbout = (rule: KeptRule, name: string): boolean => {
  if (rule.operation !== undefined) return standsFor(rule.operation, name);
  // A path below `/api/`: only delays without any condition are about it.
  if (name === unknownOperation) return !hasOutcome(rule) && rule.then === undefined;
  const operation = operationWithId(name);
  if (operation === undefined) return false;
  return rule.kind !== 'empty' || isList(operation);
};

const matches = (rule: KeptRule, { operation, id, tenant, query, headers }: FaultRequest): boolean =>
  isAbout(rule, operation) &&
  (rule.finding === undefined || rule.finding === id) &&
  (rule.tenant === undefined || rule.tenant === tenant) &&
  Object.entries(rule.query ?? {}).every(([name, value]) => query.get(name)?.[0] === value) &&
  Object.entries(rule.requestHeaders ?? {}).every(([name, value]) => headers[name.toLowerCase()] === value);
