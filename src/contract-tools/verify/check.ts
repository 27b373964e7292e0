import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import * as TE from '#fp-ts/TaskEither';
import { type ApiRequest, describeRequest } from '../../client/outgoing-request.js';
import { canonicalJson, isJsonEqual } from '../../common/json.js';
import { groupBy } from '../../common/sort-and-group.js';
import type { FixedErrorCodec } from '../../contract/error-bodies.js';
import {
  type FetchContext,
  missing,
  type Need,
  type UnexercisedReason,
  type UnmetPrerequisite,
} from './need.js';
import { asPage, type Exchange, noting, type Page } from './requests.js';
import { contractPart, type Located, type Row, stringField } from './rows.js';

/** A place where a response is not as expected. */
export type Violation = Readonly<{
  /** The request whose response shows it. */
  request: ApiRequest;
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
  | Readonly<{ _tag: 'NotExercised'; prerequisite: string; reason: UnexercisedReason }>;

/** A case that a check examined: a violation, or `null` if there is none. */
export type Case = Violation | null;

/** The cases of a value; `isPartial` if it was made of a part of a list where the whole one was needed. */
type JudgedValue = Readonly<{ cases: readonly Case[]; isPartial: boolean }>;

export const notExercised = (prerequisite: string, reason: UnexercisedReason = 'data'): Verdict => ({
  _tag: 'NotExercised',
  prerequisite,
  reason,
});

/**
 * The verdict on all cases; without any, the check was not exercised for lack of `prerequisite`. A value that
 * is partial says nothing if it has a violation, because the missing part may explain it.
 */
const verdictOf = (values: readonly JudgedValue[], prerequisite: string): Verdict => {
  const telling = values.filter(({ cases, isPartial }) => !isPartial || cases.every((each) => each === null));
  const cases = telling.flatMap((value) => value.cases);
  const violations = cases.filter((each) => each !== null);
  if (violations.length > 0) return { _tag: 'Violated', violations };
  if (cases.length > 0) return { _tag: 'Passed' };
  return telling.length < values.length
    ? notExercised('all pages of a large list (--all-pages)', 'sample')
    : notExercised(prerequisite);
};

/** An exchange, a page, or a value in one. */
type Place = Readonly<{ request: ApiRequest; path?: readonly string[] }>;

/** A violation at a place; `inner` is the path from there. */
export const violation = (
  { request, path = [] }: Place,
  expected: string,
  got: unknown,
  ...inner: readonly string[]
): Violation => ({ request, path: [...path, ...inner], expected, got });

/** A field has this value; `why` says where the expectation comes from. */
export const fieldIs = (row: Located, field: string, expected: unknown, why = ''): Case =>
  isJsonEqual(row.value[field], expected)
    ? null
    : violation(row, `${JSON.stringify(expected)}${why}`, row.value[field], field);

/** A row has no fields other than these. */
export const hasOnlyFields = (row: Located, names: readonly string[]): readonly Case[] => {
  const others = Object.keys(row.value).filter((name) => !names.includes(name));
  return others.length === 0
    ? [null]
    : others.map((name) => violation(row, 'no such field', row.value[name], name));
};

/** A page has this number of items. */
export const hasItems = (page: Page, count: number): Case =>
  page.items.length === count ? null : violation(page, `${count} items`, page.items.length, 'items');

/** The end of an expectation that follows from another response. */
export const asIn = (request: ApiRequest): string => `, as in ${describeRequest(request)}`;

/** The end of an expectation that was computed from another response. */
export const followingFrom = (request: ApiRequest): string =>
  `, which follows from ${describeRequest(request)}`;

/** The same for a number of rows. */
export const countedIn = (request: ApiRequest): string => `, counted in ${describeRequest(request)}`;

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
  return [
    hasStatus(exchange, status),
    isJsonEqual(body, expected) ? null : violation(exchange, JSON.stringify(expected), body ?? response.text),
  ];
};

/** Judges the page in a response; a response without a page is a violation. */
export const onPage = (
  exchange: Exchange,
  judge: (page: Page) => Case | readonly Case[],
): readonly Case[] => {
  const page = asPage(exchange);
  return page === null
    ? [violation(exchange, '200 with a page', exchange.response.status)]
    : [judge(page)].flat();
};

/** The response is an empty page, not an error (contract, sections 4.2, 4.4 and 7, note 2). */
export const isEmptyPage = (exchange: Exchange): readonly Case[] =>
  onPage(exchange, (page) => [
    page.items.length === 0 ? null : violation(page, 'no items', page.items.length, 'items'),
    fieldIs(page, 'totalItems', 0),
  ]);

/** The items of a page, reduced to the fields of the contract. */
export const itemValues = ({ items }: Page): readonly unknown[] =>
  items.map(({ value }) => contractPart(value));

/** No two rows have the same value in a field. */
export const areUnique = (rows: readonly Located[], field: string): readonly Case[] => {
  const seen = new Set<string>();
  return rows.map((row) => {
    const value = canonicalJson(row.value[field]);
    if (seen.has(value))
      return violation(row, `a different ${field} from all rows before`, row.value[field], field);
    seen.add(value);
    return null;
  });
};

/**
 * One case per row: `others` contains it. Each of the others matches one row only. Rows are compared as a
 * whole: pull requests have no id of their own, and those of one draft share its id.
 */
export const areAmong = (
  rows: readonly Located[],
  others: readonly Located[],
  expected: string,
): readonly Case[] => {
  const left = new Map(
    Array.from(
      groupBy(others, ({ value }) => canonicalJson(value)),
      ([text, same]) => [text, same.length],
    ),
  );
  return rows.map((row) => {
    const text = canonicalJson(row.value);
    const count = left.get(text) ?? 0;
    if (count === 0) return violation(row, expected, row.value);
    left.set(text, count - 1);
    return null;
  });
};

/** One case for each row but the first: its timestamp is not later than that of the row before. */
export const notAfter = (
  rows: readonly Located[],
  field: string,
  isTieRight: (before: Row, after: Row) => boolean = () => true,
): readonly Case[] =>
  rows.slice(1).map((row, index) => {
    const before = rows[index]?.value ?? {};
    const [earlier, later] = [stringField(row.value, field) ?? '', stringField(before, field) ?? ''];
    return earlier < later || (earlier === later && isTieRight(before, row.value))
      ? null
      : violation(row, `not later than ${later}, as in the row before`, earlier, field);
  });

/** `must`: the contract requires it. `info`: the contract is silent, and the statement is our decision. */
export type CheckLevel = 'must' | 'info';

/** One statement about a server that can be checked from outside. */
export type Check = Readonly<{
  id: string;
  /** The section of the contract; at level `info` the one that is silent. */
  section: string;
  level: CheckLevel;
  statement: string;
  /** Why the contract says so, for a reader who may doubt it; null where its words leave no doubt. */
  reasoning: string | null;
  /** Whether it compares responses: a violation then counts only once fresh responses have confirmed it. */
  compares: boolean;
  /** Roughly the number of requests that it takes. */
  cost: number;
  run: (context: FetchContext) => TE.TaskEither<UnmetPrerequisite, Verdict>;
}>;

/**
 * A check as a row of data: what it needs, and a pure judge of each value that was fetched. `prerequisite`
 * says what the server has to have for the check to be exercised, if the judge finds nothing to examine.
 */
export const checkAt =
  (level: CheckLevel) =>
  <A>(
    id: string,
    section: string,
    statement: string,
    needs: Need<A>,
    judge: (value: A) => Case | readonly Case[],
    prerequisite = 'data to check',
  ): Check => ({
    id,
    section,
    level,
    statement,
    reasoning: null,
    compares: needs.compares,
    cost: needs.cost,
    run: (context) =>
      pipe(
        needs.fetch(context),
        TE.map((values) =>
          verdictOf(
            values.map(({ value, isPartial }) => ({ cases: [judge(value)].flat(), isPartial })),
            prerequisite,
          ),
        ),
      ),
  });

export const must = checkAt('must');
export const info = checkAt('info');

/** A check with the reasoning for a reader who doubts what it says. */
export const because = (reasoning: string, check: Check): Check => ({ ...check, reasoning });

export type Outcome = E.Either<UnmetPrerequisite, Verdict>;

/** A check that was run: its outcome, and the exchanges that it looked at. */
export type CheckRun = Readonly<{ check: Check; outcome: Outcome; exchanges: readonly Exchange[] }>;

/** Runs a check. A body that is nested too deeply overflows the stack, and the check is not exercised. */
export const runCheck = async (check: Check, context: FetchContext): Promise<CheckRun> => {
  const client = noting(context.client);
  // A check that judges all exchanges of a run needs those of the others, too.
  const seen = Number.isFinite(check.cost) ? client : { ...client, exchanges: context.client.exchanges };
  const result = (outcome: Outcome): CheckRun => ({ check, outcome, exchanges: client.exchanges() });
  try {
    return result(await check.run({ ...context, client: seen })());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return result(E.left(missing(`responses that are not nested too deeply (${error.message})`)));
  }
};
