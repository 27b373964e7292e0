import type { ApiRequest } from '../../client/outgoing-request.js';
import { canonicalJson } from '../../common/json.js';
import { groupBy } from '../../common/sort-and-group.js';
import { jsonText } from '../report-text.js';
import type { Check, Violation } from './check.js';
import type { CheckResult } from './report.js';
import { operationOf } from './requests.js';

/**
 * What a violation is about. One mistake of a server shows in the responses to many requests; two violations
 * of the same mistake are about the same.
 */
type Subject = Readonly<{
  /** The operations whose responses are concerned: of the wrong one, and of the one it is compared with. */
  operations: readonly string[];
  source: string | null;
  /**
   * A field by its name, `rows` if there are other rows than expected, `count` if there is another number of
   * items on a page, or `response` as a whole.
   */
  topic: string;
  /** The names of the filters and of the credentials of these requests. */
  parameters: readonly string[];
  /** Whether the request selects no rows by a filter. */
  isOfWholeList: boolean;
  /** Which of page and limit the request leaves to the default. */
  defaults: readonly string[];
  /** Of a response as a whole: what is expected and what came. */
  difference: string;
  isBody: boolean;
}>;

/** The id of the operation that a request belongs to; a path that belongs to none stands for itself. */
const operationIn = ({ path }: ApiRequest): string => operationOf(path)?.id ?? path;

const pageParameters = ['page', 'limit'];

const namedParameters = ({ query, auth: { session, bearer, other } }: ApiRequest): readonly string[] => [
  ...query.map(([name]) => name).filter((name) => !pageParameters.includes(name)),
  ...[session, bearer, other?.secret].flatMap((secret) => (secret ? [secret.name] : [])),
];

const subjectOf = ({ request, path, expected, got, source }: Violation): Subject => {
  const requests = source === null ? [request] : [request, source];
  const topic = topicOf(path, got);
  const isFailure = topic === 'response' && typeof got === 'number' && got >= 500;
  return {
    operations: [...new Set(requests.map(operationIn))],
    source: source === null ? null : operationIn(source),
    topic,
    // A server that fails does so whatever it is asked.
    parameters: isFailure ? [] : [...new Set(requests.flatMap(namedParameters))],
    isOfWholeList: request.query.every(([name]) => pageParameters.includes(name)),
    defaults: pageParameters.filter((name) => !request.query.some(([given]) => given === name)),
    difference: topic === 'response' ? `${isFailure ? '' : expected} ${jsonText(got)}` : '',
    isBody: topic === 'response' && typeof got !== 'number',
  };
};

const topicOf = (path: readonly string[], got: unknown): string => {
  if (path.length === 0) return 'response';
  if (path.join('/') === 'items' && typeof got === 'number') return 'count';
  const names = path.filter((name) => name !== 'items' && !/^\d+$/.test(name));
  return names.join('/') || 'rows';
};

/** What else is wrong if this is. */
const consequences: Readonly<Record<string, readonly string[]>> = {
  rows: ['totalItems', 'totalPages', 'count'],
  page: ['rows', 'count'],
  limit: ['rows', 'count', 'totalPages'],
  totalItems: ['totalPages', 'count'],
};

/** Where the default of page or limit may be the mistake. */
const dependOnDefaults = ['rows', 'count', 'page', 'limit'];

/** The parameter that selects rows by a field, if it has another name. */
const filterBy: Readonly<Record<string, string>> = { prState: 'status' };

/** Whether a mistake that shows in one place explains another one, which has at least the same parameters. */
const explains = (cause: Subject, effect: Subject): boolean => {
  const isSameDifference = cause.difference === effect.difference;
  if (cause.isBody && isSameDifference) return true;
  if (!cause.parameters.every((each) => effect.parameters.includes(each))) return false;
  const isSameOperation = cause.operations.some((id) => effect.operations.includes(id));
  if (cause.topic === 'response' && effect.topic === 'response')
    return isSameDifference || (isSameOperation && cause.isBody === effect.isBody);
  if (!isSameOperation) return false;
  if (
    dependOnDefaults.includes(cause.topic) &&
    !cause.defaults.every((name) => effect.defaults.includes(name))
  )
    return false;
  const isFiltered = effect.parameters.includes(filterBy[cause.topic] ?? cause.topic);
  return (
    cause.topic === effect.topic ||
    (consequences[cause.topic] ?? []).includes(effect.topic) ||
    // Rows that have another value are not found by the filter.
    (isFiltered && [...dependOnDefaults, 'totalItems', 'totalPages'].includes(effect.topic)) ||
    // What was computed from wrong rows.
    (cause.topic === 'rows' && effect.source !== null && cause.operations.includes(effect.source))
  );
};

/**
 * What all responses show comes before what a single one shows, and comparisons of several come last. How
 * many items a page has follows from everything else.
 */
const rankOf = ({ check: { cost, compares }, subjects }: Failure): number => {
  if (subjects.every(({ topic }) => topic === 'count')) return 3;
  // A wrong total of the whole list shows in every selection from it, too.
  if (subjects.every(({ topic, isOfWholeList }) => topic === 'totalItems' && isOfWholeList)) return 0.5;
  return Number.isFinite(cost) ? 1 + Number(compares) : 0;
};

type Failure = Readonly<{ check: Check; subjects: readonly Subject[] }>;

/**
 * Which failed check each other one follows from, by their ids. A failure follows from others that judge
 * fewer responses if all of its violations are about what those have found wrong: the same field, rows or
 * response of the same operation, requested with the same parameters or fewer. The rest has no cause.
 */
export const causesOf = (results: readonly CheckResult[]): ReadonlyMap<string, string> => {
  const failures = results.flatMap(({ check, verdict }): readonly Failure[] => {
    if (check.level !== 'must' || verdict._tag !== 'Violated') return [];
    const subjects = groupBy(verdict.violations.map(subjectOf), canonicalJson);
    return [{ check, subjects: Array.from(subjects.values()).flatMap(([first]) => first ?? []) }];
  });
  const causes = new Map<string, string>();
  const known: Readonly<{ id: string; subject: Subject }>[] = [];
  for (const { check, subjects } of failures.toSorted((left, right) => rankOf(left) - rankOf(right))) {
    const explained = subjects.flatMap((subject) => {
      const cause = known.find((each) => explains(each.subject, subject));
      return cause === undefined ? [] : [{ id: cause.id, subject }];
    });
    const [first] = explained;
    if (first !== undefined && explained.length === subjects.length) {
      causes.set(check.id, first.id);
      known.push(...explained);
    } else known.push(...subjects.map((subject) => ({ id: check.id, subject })));
  }
  return causes;
};
