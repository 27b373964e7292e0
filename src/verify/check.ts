import { describeRequest, type OutgoingRequest } from '../client/outgoing-request.js';
import { canonicalJson, isJsonEqual, textOf, valueAt } from '../common/json.js';
import type { FixedErrorCodec } from '../contract/error-bodies.js';
import { matchRows, valueDifferences } from './compare.js';
import { asPage, type Exchange, type Page, type RequestSpec } from './exchange.js';
import { NotExercised } from './not-exercised.js';
import { itemsText, jsonText } from './report-text.js';
import { contractPart, isRow, type ListItem, type Located, type Place } from './rows.js';
import type { Server } from './server.js';

/** A place where a response is not as expected. */
export type Violation = Readonly<{
  request: OutgoingRequest;
  /** The path in the body; empty if the body or the response as a whole is meant. */
  path: readonly string[];
  expected: string;
  /** The value as it was sent; reports shorten it and remove secrets. */
  got: unknown;
}>;

/** The result of a check. A check that nothing has exercised never counts as passed. */
export type Verdict =
  | Readonly<{ _tag: 'Passed' }>
  | Readonly<{ _tag: 'Violated'; violations: readonly Violation[] }>
  /** Responses disagree, but they change all the time, so that nobody can tell. */
  | Readonly<{ _tag: 'ChangingData'; violations: readonly Violation[] }>
  | NotExercised;

/** A case that a check examined: a violation, or `null` if there is none. */
export type Case = Violation | null;

/** What a judge says of a value: a single case, or any number of them. */
export type Cases = Case | readonly Case[];

/** Where an expectation comes from: how its sentence ends. */
export type Origin = string;

const origin =
  (how: string) =>
  (request: OutgoingRequest): Origin =>
    `, ${how} ${describeRequest(request)}`;

/** Another response has the same, or the expectation was computed or counted from its rows. */
export const asIn = origin('as in');
export const followingFrom = origin('which follows from');
export const countedIn = origin('counted in');

/** An expectation for a reason that is given in words. */
export const since = (words: string): Origin => `, ${words}`;

export const violation = (
  { request, path = [] }: Place,
  expected: string,
  got: unknown,
  origin: Origin = '',
): Violation => ({ request, path, expected: `${expected}${origin}`, got });

/** A place inside of another one. */
export const inside = ({ request, path = [] }: Place, ...inner: readonly string[]) => ({
  request,
  path: [...path, ...inner],
});

/** A field of a row is not as expected. */
export const wrongField = (row: Located, field: string, expected: string, origin: Origin = ''): Violation =>
  violation(inside(row, field), expected, row.value[field], origin);

/** A field has this value. */
export const fieldIs = (row: Located, field: string, expected: unknown, origin: Origin = ''): Case =>
  isJsonEqual(row.value[field], expected) ? null : wrongField(row, field, JSON.stringify(expected), origin);

/** Fields have these values. */
export const fieldsAre = (row: Located, expected: ListItem): readonly Case[] =>
  Object.entries(expected).map(([field, value]) => fieldIs(row, field, value));

/** These fields have the same values as in another response. */
export const agrees = (row: Located, other: Located, fields: readonly string[]): readonly Case[] =>
  fields.map((field) => fieldIs(row, field, other.value[field], asIn(other.request)));

/** A value is the same as the one in another response. A violation names the first place where it differs. */
export const isSame = (place: Place, got: unknown, expected: unknown, origin: Origin): Case => {
  const [first] = valueDifferences(got, expected);
  if (first === undefined) return null;
  // A row that only one of them has may stand in the place of another one.
  const { path, left = valueAt(got, path), right = valueAt(expected, path) } = first;
  const shownLeft = Array.isArray(left) ? describedValue(left) : left;
  return violation(inside(place, ...path.map(String)), describedValue(right), shownLeft, origin);
};

/** A value in words: an array by its length, a row by its id. */
const describedValue = (value: unknown): string => {
  if (Array.isArray(value)) return itemsText(value.length);
  if (isRow(value)) return 'id' in value ? `the row ${JSON.stringify(value.id)}` : 'an object';
  return jsonText(value);
};

/** A row has no fields other than these. */
export const hasOnlyFields = (row: Located, names: readonly string[]): readonly Case[] => {
  const others = Object.keys(row.value).filter((name) => !names.includes(name));
  return others.length === 0 ? [null] : others.map((name) => wrongField(row, name, 'no such field'));
};

/** A page has this number of items. */
export const hasItems = (page: Page, count: number): Case =>
  page.items.length === count ? null : violation(inside(page, 'items'), `${count} items`, page.items.length);

export const isOk = (exchange: Exchange): Case => hasStatus(exchange, 200);

export const hasStatus = (exchange: Exchange, status: number): Case =>
  exchange.response.status === status
    ? null
    : violation(exchange, `status ${status}`, exchange.response.status);

/** A failure has this status and exactly this body (contract, section 7). */
export const isError = <M extends string>(
  exchange: Exchange,
  status: number,
  { type }: FixedErrorCodec<M>,
): readonly Case[] => {
  const expected = { error: type.props.error.value };
  const { body, response } = exchange;
  if (response.status !== status) return [hasStatus(exchange, status)];
  if (isJsonEqual(body, expected)) return [null];
  return [violation(exchange, JSON.stringify(expected), body ?? response.text)];
};

/** Judges the page in a response; a response without a page is a violation. */
export const onPage = (exchange: Exchange, judge: (page: Page) => Cases): readonly Case[] => {
  const page = asPage(exchange);
  return page === null
    ? [violation(exchange, '200 with a page', exchange.response.status)]
    : [judge(page)].flat();
};

/** The response is an empty page, not an error (contract, sections 4.2, 4.4 and 7, note 2). */
export const isEmptyPage = (exchange: Exchange): readonly Case[] =>
  onPage(exchange, (page) => [
    page.items.length === 0 ? null : violation(inside(page, 'items'), 'no items', page.items.length),
    fieldIs(page, 'totalItems', 0),
  ]);

/** The items of a page, reduced to the fields of the contract. */
export const itemValues = ({ items }: Page): readonly unknown[] =>
  items.map(({ value }) => contractPart(value));

/** A page has these items, in this order. */
export const hasSameItems = (page: Page, expected: readonly unknown[], origin: Origin): Case =>
  isSame(inside(page, 'items'), itemValues(page), expected, origin);

/** No two rows have the same value in a field. */
export const areUnique = (rows: readonly Located[], field: string): readonly Case[] => {
  const seen = new Set<string>();
  return rows.map((row) => {
    const value = canonicalJson(row.value[field]);
    if (seen.has(value)) return wrongField(row, field, `a different ${field} from all rows before`);
    seen.add(value);
    return null;
  });
};

/** In how many places two rows of the same id may differ to count as the same one. */
const maxDifferences = 3;

/**
 * One case per row: `others` contains it. Each of the others matches one row only. Rows are compared as a
 * whole: pull requests have no id of their own, and those of one draft share its id. If a row has nearly the
 * same fields as its match, the violation names the field that differs.
 */
export const areAmong = (
  rows: readonly Located[],
  others: readonly Located[],
  expected: string,
  origin: Origin,
): readonly Case[] => {
  const { pairs } = matchRows(
    rows.map(({ value }) => value),
    others.map(({ value }) => value),
  );
  return rows.map((row, index) => {
    const other = others[pairs[index]?.right?.index ?? -1];
    const isSimilar = other && valueDifferences(row.value, other.value).length <= maxDifferences;
    return isSimilar
      ? isSame(row, row.value, other.value, asIn(other.request))
      : violation(row, expected, row.value, origin);
  });
};

/**
 * One case for each row but the first: its timestamp, of whatever form, is not later than that of the row
 * before.
 */
export const notAfter = (
  rows: readonly Located[],
  field: string,
  isTieRight: (before: ListItem, after: ListItem) => boolean = () => true,
): readonly Case[] =>
  rows.slice(1).map((row, index) => {
    const before = rows[index]?.value ?? {};
    const [earlier, later] = [textOf(row.value, field) ?? '', textOf(before, field) ?? ''];
    const difference = Date.parse(earlier) - Date.parse(later);
    return difference > 0 || (difference === 0 && !isTieRight(before, row.value))
      ? violation(inside(row, field), `not later than ${later}, as in the row before`, earlier)
      : null;
  });

/** `must`: the contract requires it. `info`: the contract is silent, and the statement is our decision. */
export type CheckLevel = 'must' | 'info';

/**
 * What a check looks at, which decides when it runs. `single`: each case is in one response, so that a
 * violation counts at once; such checks run first, because they are exercised with the fewest requests.
 * `compared`: several responses are compared, and data that changes between them can look like a violation,
 * which has to be confirmed. `run`: all responses of a run; such checks run last.
 */
type Stage = 'single' | 'compared' | 'run';

/** Asks a server for what a check needs, and judges it. Rejects with `NotExercised`. */
type Examine = (server: Server) => Promise<Cases>;
type Staged = Readonly<{ stage: Stage; examine: Examine }>;
export type Examination = Examine | Staged;

/** Judges each of several values, every one of which is in one response. */
export const judgeValues = <A>(
  fetch: (server: Server) => Promise<readonly A[]>,
  judge: (value: A) => Cases,
): Staged => ({
  stage: 'single',
  examine: async (server) => (await fetch(server)).flatMap(judge),
});

/** Judges the response to each of these requests. */
export const judgeEach = (requests: readonly RequestSpec[], judge: (exchange: Exchange) => Cases): Staged =>
  judgeValues((server) => server.responses(requests), judge);

/** Judges each value that all responses of the run have, whichever check needed them. */
export const judgeRun = <A>(
  fetch: (server: Server) => Promise<readonly A[]>,
  judge: (value: A) => Cases,
): Staged => ({
  ...judgeValues(fetch, judge),
  stage: 'run',
});

/** One statement about a server that can be checked from outside. */
export type Check = Readonly<{
  id: string;
  /** The section of the contract; at level `info` the one that is silent. */
  section: string;
  level: CheckLevel;
  statement: string;
  /** Why the contract says so, for a reader who may doubt it; null where its words leave no doubt. */
  reasoning: string | null;
  /** The id of the mistake that every failure means; null if the responses have to tell. */
  mistake: string | null;
  stage: Stage;
  run: (server: Server) => Promise<Verdict>;
}>;

/**
 * What a check says: the last part of its id, its section of the contract, and its statement. After the
 * section may stand the mistake that a failure means.
 */
type CheckText = `${string} (${string}): ${string}`;

/** States a check and why the contract says so; then how it is examined: by comparing, unless it says so. */
type StateCheck = (text: CheckText, reasoning?: string) => (how: Examination) => Check;

/** The same for a subject; `requiring` is for a check with a prerequisite of its own. */
type StateChecks = StateCheck & Readonly<{ requiring: (prerequisite: string) => StateCheck }>;

/**
 * States the checks of a subject, with which their ids and, unless it is `null`, their statements begin.
 * `prerequisite` says what the server has to have for a check to be exercised, if the judge finds nothing to
 * examine.
 */
export const checksOf = (
  id: string,
  prerequisite = 'data to check',
  subject: string | null = id,
): Readonly<Record<CheckLevel, StateChecks>> => {
  const requiring =
    (level: CheckLevel) =>
    (required: string): StateCheck =>
    (text, reasoning) =>
    (how) => {
      const { stage, examine } = 'stage' in how ? how : { stage: 'compared' as const, examine: how };
      const [, part = '', section = '', mistake = null, statement = ''] =
        /^(\S+) \((.*?)(?:; ([a-z-]+))?\): (.*)$/.exec(text) ?? [];
      return {
        id: `${id}.${part}`,
        section,
        level,
        statement: subject === null ? statement : `${subject}: ${statement}`,
        reasoning: reasoning ?? null,
        mistake,
        stage,
        run: async (server) => {
          try {
            return verdictOf([await examine(server)].flat(), required);
          } catch (error) {
            if (error instanceof NotExercised) return error;
            throw error;
          }
        },
      };
    };
  const at = (level: CheckLevel): StateChecks =>
    Object.assign(requiring(level)(prerequisite), { requiring: requiring(level) });
  return { must: at('must'), info: at('info') };
};

const verdictOf = (cases: readonly Case[], prerequisite: string): Verdict => {
  const violations = cases.filter((each) => each !== null);
  if (violations.length > 0) return { _tag: 'Violated', violations };
  return cases.length > 0 ? { _tag: 'Passed' } : new NotExercised(prerequisite, 'data');
};

/** A check that was run: its verdict, and the exchanges that it looked at. */
export type CheckRun = Readonly<{ check: Check; verdict: Verdict; exchanges: readonly Exchange[] }>;

/** Runs a check. */
export const runCheck = async (check: Check, server: Server): Promise<CheckRun> => {
  // A check that judges all exchanges of a run needs those of the others, too.
  const own = check.stage === 'run' ? server : server.noting();
  return { check, verdict: await check.run(own), exchanges: own.client.exchanges() };
};
