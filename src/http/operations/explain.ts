import type { Clock } from '../../common/clock.js';
import { timestampAt } from '../../contract/codecs/timestamp.js';
import { valuesOf } from './parameters.js';
import type { ApiRequest } from './request.js';
import type { Route } from './routes.js';

/** Asks for an explanation, with the value 1. */
export const explainHeader = 'x-triage-explain';

/** The response header that has it. */
export const explanationHeader = 'X-Triage-Explanation';

/** How many rows there are once a filter is applied; null: before the first. `empty` is a simulated one. */
type Step = Readonly<{ filter: string | null; total: number; onPage: number }>;

/** The step after all filters that a simulated `empty` is. */
const emptied: Step = { filter: 'empty (simulated)', total: 0, onPage: 0 };

/** What narrows a list, in the order in which it does. */
const filters = ['repoId', 'severity', 'status'];

/** How much of a value is shown: a header must not grow too long. */
const maxShown = 60;

/**
 * Why a list has the rows that it has, as JSON in ASCII: the tenant, the clock of the server, and the rows
 * before and after each filter, in total and on the page. The numbers are those of real responses, to the
 * same request with fewer filters. Requests that fail, and operations without a list, have no steps.
 * `isEmptied`: whether the list of the response has been emptied on purpose.
 */
export const explanation = async (
  request: ApiRequest,
  route: Route,
  clock: Clock,
  isEmptied: boolean,
): Promise<string> => {
  const found = await steps(request, route);
  const rows = isEmptied && found.length > 0 ? [...found, emptied] : found;
  const tenant = request.state.tenantId ?? null;
  return inAscii(JSON.stringify({ tenant, clock: timestampAt(clock()), rows }));
};

const steps = async (request: ApiRequest, { endpoint, params }: Route): Promise<readonly Step[]> => {
  const query = valuesOf(request.querystring);
  const known = Object.keys(endpoint.operation.queryParameters.type.props);
  const given = known.filter((name) => query.has(name));
  const asked = (names: readonly string[]): string =>
    new URLSearchParams(
      Object.fromEntries(names.map((name) => [name, query.get(name)?.[0] ?? ''])),
    ).toString();
  const paging = given.filter((name) => !filters.includes(name));
  const narrowing = filters.filter((name) => given.includes(name));
  const found: Step[] = [];
  for (let count = 0; count <= narrowing.length; count += 1) {
    const names = [...paging, ...narrowing.slice(0, count)];
    const { status, body } = await endpoint.respondTo(request, params, asked(names));
    const counted = status === 200 ? countRows(JSON.parse(body.json)) : null;
    if (counted === null) break;
    const last = narrowing[count - 1];
    found.push({ filter: last === undefined ? null : `${last}=${shown(query.get(last)?.[0])}`, ...counted });
  }
  return found;
};

const shown = (value = ''): string => (value.length > maxShown ? `${value.slice(0, maxShown)}...` : value);

/** The rows of a list or of a page of one; null: it is neither. */
const countRows = (body: unknown): Pick<Step, 'total' | 'onPage'> | null => {
  if (Array.isArray(body)) return { total: body.length, onPage: body.length };
  const { items, totalItems } = Object(body);
  return Array.isArray(items) && typeof totalItems === 'number'
    ? { total: totalItems, onPage: items.length }
    : null;
};

const inAscii = (text: string): string =>
  text.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
