import type { ApiRequest } from '../../client/outgoing-request.js';
import { canonicalJson } from '../../common/json.js';
import { groupBy } from '../../common/sort-and-group.js';
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
  /** A field by its name, `rows` if there are other rows than expected, or `response` as a whole. */
  topic: string;
  /** The filters and the credentials of these requests. */
  parameters: readonly string[];
  /** Which of page and limit the request leaves to the default. */
  defaults: readonly string[];
  /** Of a response as a whole: what is expected and what came. */
  difference: string;
}>;

const pageParameters = ['page', 'limit'];

const parametersOf = ({ query, auth: { session, bearer, other } }: ApiRequest): readonly string[] => [
  ...query.filter(([name]) => !pageParameters.includes(name)).map(([name, value]) => `${name}=${value}`),
  ...[session, bearer, other?.secret].flatMap((secret) => (secret ? [secret.name] : [])),
];

const subjectOf = ({ request, path, expected, got, source }: Violation): Subject => {
  const requests = source === null ? [request] : [request, source];
  const names = path.filter((name) => name !== 'items' && !/^\d+$/.test(name));
  const topic = path.length === 0 ? 'response' : names.join('/') || 'rows';
  return {
    operations: [...new Set(requests.map(({ path }) => operationOf(path)?.id ?? path))],
    topic,
    parameters: [...new Set(requests.flatMap(parametersOf))],
    defaults: pageParameters.filter((name) => !request.query.some(([given]) => given === name)),
    difference: topic === 'response' ? canonicalJson([expected, typeof got === 'number' ? got : null]) : '',
  };
};

/** Other rows than expected lead to other totals. */
const totals = ['totalItems', 'totalPages'];

/** Whether a mistake that shows in one place explains another one, which has at least the same parameters. */
const explains = (cause: Subject, effect: Subject): boolean => {
  const isSameOperation = cause.operations.some((id) => effect.operations.includes(id));
  if (!cause.parameters.every((each) => effect.parameters.includes(each))) return false;
  if (cause.topic === 'response')
    return cause.difference === effect.difference || (isSameOperation && effect.topic === 'response');
  if (!isSameOperation) return false;
  if (cause.topic !== 'rows') return cause.topic === effect.topic;
  return (
    (effect.topic === 'rows' || totals.includes(effect.topic)) &&
    cause.defaults.every((name) => effect.defaults.includes(name))
  );
};

/** What all responses show comes before what a single one shows, and comparisons of several come last. */
const rankOf = ({ cost, compares }: Check): number => (Number.isFinite(cost) ? 1 + Number(compares) : 0);

/**
 * Which failed check each other one follows from, by their ids. A failure follows from others that judge
 * fewer responses if all of its violations are about what those have found wrong: the same field, rows or
 * response of the same operation, requested with the same parameters or fewer. The rest has no cause.
 */
export const causesOf = (results: readonly CheckResult[]): ReadonlyMap<string, string> => {
  const causes = new Map<string, string>();
  const known: { id: string; subject: Subject }[] = [];
  const failed = results
    .filter(({ check }) => check.level === 'must')
    .toSorted((left, right) => rankOf(left.check) - rankOf(right.check));
  for (const { check, verdict } of failed) {
    if (verdict._tag !== 'Violated') continue;
    const subjects = Array.from(groupBy(verdict.violations.map(subjectOf), canonicalJson).values()).flatMap(
      ([subject]) => subject ?? [],
    );
    const explanations = subjects.map((subject) => known.find((each) => explains(each.subject, subject)));
    const [first] = explanations;
    if (first !== undefined && !explanations.includes(undefined)) causes.set(check.id, first.id);
    else known.push(...subjects.map((subject) => ({ id: check.id, subject })));
  }
  return causes;
};
