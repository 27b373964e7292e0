import { isJsonEqual, whyNoJson } from '../common/json.js';
import { maxLimit } from '../contract/page-and-limit.js';
import { idsOf, matchRows, moved, pathText, patternOf, type SharedRow, valueDifferences } from './compare.js';
import { type Exchange, isGiven, jsonType, operationOf } from './exchange.js';
import { itemsText, jsonText } from './report-text.js';
import { contractFieldNames, contractPart, integerField, isRow, type ListItem } from './rows.js';

/** What `diff` tells apart, in the order of its report. */
export const kinds = {
  status: null,
  shape: null,
  order: null,
  rows: null,
  value: null,
  /** What the contract leaves open, and what the data may explain. */
  decision: null,
  note: null,
};

/** A difference between two responses to the same request, with an example. */
export type ResponseDifference = Readonly<{
  kind: keyof typeof kinds;
  /** A path in the body with `*` for any item, or the question that the contract leaves open. */
  where: string;
  at: string;
  left: string;
  right: string;
  /** How many values or rows differ; 1 for other kinds. */
  count: number;
}>;

const difference = (
  kind: ResponseDifference['kind'],
  where: string,
  left: string,
  right: string,
  { at = where, count = 1 }: Partial<ResponseDifference> = {},
): ResponseDifference => ({ kind, where, at, left, right, count });

/** One thing for each of the two servers. */
export type Sides<A> = Readonly<{ left: A; right: A }>;

export const onBoth = <A, B>({ left, right }: Sides<A>, change: (side: A) => B): Sides<B> => ({
  left: change(left),
  right: change(right),
});

/**
 * The responses of both servers to a request. `question`: what it asks that the contract leaves open;
 * `hasSameData`: whether they have to be equal in values.
 */
export type ResponsePair = Sides<Exchange> & Readonly<{ question: string | null; hasSameData: boolean }>;

/**
 * How two responses to a request differ in what the contract says. If their statuses differ, nothing else is
 * compared. `isReordered`: the servers order this list differently, so other rows may be on a page.
 */
export const compareResponses = (pair: ResponsePair, isReordered: boolean): readonly ResponseDifference[] => {
  const statuses = onBoth(pair, ({ response }) => String(response.status));
  if (statuses.left !== statuses.right)
    // Whatever a server decides, it does not crash.
    return pair.question === null || Object.values(statuses).includes('500')
      ? [difference('status', '', statuses.left, statuses.right)]
      : [decision(pair.question, statuses)];
  return [
    ...compareChallenges(pair),
    ...(pair.left.request.method === 'GET' ? compareBodies(pair, isReordered) : []),
  ];
};

/** Whether only one 401 has a challenge, which the contract does not mention. */
const compareChallenges = (pair: ResponsePair): readonly ResponseDifference[] => {
  if (pair.left.response.status !== 401) return [];
  const found = onBoth(pair, ({ response }) =>
    response.headers['www-authenticate'] === undefined ? 'absent' : 'present',
  );
  return found.left === found.right ? [] : [decision('the WWW-Authenticate header of a 401', found)];
};

/** Compares bodies of the same status: those that the contract fixes, then shapes, then contents. */
const compareBodies = (pair: ResponsePair, isReordered: boolean): readonly ResponseDifference[] => {
  const { left, right, question } = pair;
  const { status } = left.response;
  if (status >= 400 && !isGiven(left)) {
    const bodies = onBoth(pair, ({ body, response }) =>
      body === undefined ? response.text : jsonText(body),
    );
    const isSame =
      left.body === undefined ? bodies.left === bodies.right : isJsonEqual(left.body, right.body);
    return isSame ? [] : [decision(question ?? `the body of a ${status}`, bodies)];
  }
  const formats = onBoth(pair, formatOf);
  if (formats.left !== formats.right) return [difference('shape', '', formats.left, formats.right)];
  if (left.body === undefined) return [];
  const shapes = compareShapes(onBoth(pair, ({ body }) => [body]));
  const isInContract = ({ where }: ResponseDifference): boolean =>
    status >= 400 || where.split('/').every((part) => /^\*?$/.test(part) || contractFieldNames.has(part));
  const wrongShapes = shapes.filter((shape) => shape.kind === 'shape' && isInContract(shape));
  const contents = (
    status >= 400 ? compareValues(left.body, right.body) : compareContents(pair, isReordered)
  ).filter(({ where }) => !wrongShapes.some((shape) => shape.where === where));
  if (question !== null) {
    const [first] = contents.filter(({ kind, where }) => kind !== 'decision' && !where.includes('/*/'));
    const decided = first === undefined ? [] : [decision(question, first, first.at)];
    return [...wrongShapes, ...compareSizes(pair), ...decided];
  }
  return [
    ...wrongShapes,
    ...shapes
      .filter((shape) => shape.kind === 'shape' && !isInContract(shape))
      .map((shape) => decision('fields that the contract does not have', shape, shape.where)),
    ...contents,
    ...(pair.hasSameData ? [] : shapes.filter((shape) => shape.kind === 'note' && isInContract(shape))),
  ];
};

const decision = (question: string, { left, right }: Sides<string>, at = ''): ResponseDifference =>
  difference('decision', question, left, right, { at });

/** Whether a body is JSON that is labelled as such. Every response of the API is (contract, section 1). */
const formatOf = ({ body, response: { headers, text } }: Exchange): string => {
  if (body === undefined) return whyNoJson(text);
  const type = headers['content-type'] ?? '';
  return jsonType.test(type)
    ? 'JSON'
    : `JSON with ${type === '' ? 'no content-type' : `the content-type ${type}`}`;
};

/** Whether only one page is larger than the contract allows, whatever it says of a higher `limit`. */
const compareSizes = (pair: ResponsePair): readonly ResponseDifference[] => {
  const { left, right } = onBoth(pair, ({ body }) =>
    isRow(body) ? Math.max(integerField(body, 'limit') ?? 0, rowsOf(body)?.length ?? 0) : 0,
  );
  return left > maxLimit === right > maxLimit
    ? []
    : [difference('value', '/limit', String(left), String(right))];
};

/** The rows of a list, whether it is a page or a bare array; null if it is none. */
export const rowsOf = (body: unknown): readonly unknown[] | null => {
  const rows: unknown = isRow(body) ? body.items : body;
  return Array.isArray(rows) ? rows : null;
};

/** The rows of two lists, matched by id; null if they are no lists, or of rows without ids. */
const matchedRows = ({ left, right }: Sides<Exchange>) => {
  const rows = onBoth({ left, right }, ({ body }) => rowsOf(contractPart(body)));
  if (rows.left === null || rows.right === null || idsOf(rows.left) === null || idsOf(rows.right) === null)
    return null;
  return matchRows(rows.left, rows.right);
};

const compareContents = (pair: ResponsePair, isReordered: boolean): readonly ResponseDifference[] => {
  const { left, right, hasSameData } = pair;
  const matched = matchedRows(pair);
  if (matched === null)
    return hasSameData ? compareValues(contractPart(left.body), contractPart(right.body)) : [];
  const { pairs, shared, onlyRight } = matched;
  const onlyLeft = pairs.flatMap((each) => (each.right === undefined ? [each.left] : []));
  const path = isRow(left.body) ? ['items'] : [];
  // Pull requests share ids: in a wrong filter, the row of an id may be another one.
  const isUnfiltered = left.request.query.every(([name]) => name === 'page' || name === 'limit');
  const count = onlyLeft.length + onlyRight.length;
  const areScansKnown = shared.some(showSameScan);
  const isOnOtherPage = isReordered && !(isWhole(left.body) && isWhole(right.body));
  const example = onlyLeft[0] ?? onlyRight[0];
  const id = jsonText(example?.row.id);
  const [onLeft, onRight] = onlyLeft.length > 0 ? [id, noSuchRow] : [noSuchRow, id];
  return [
    ...compareOrder(pair),
    ...(hasSameData && example !== undefined && !isOnOtherPage
      ? [
          difference('rows', patternOf([...path, 0]), onLeft, onRight, {
            at: pathText([...path, example.index]),
            count,
          }),
        ]
      : []),
    ...compareEnvelopes(left.body, right.body, hasSameData || (count === 0 && shared.length > 0)),
    ...(hasSameData && !isOnOtherPage && (count === 0 || isUnfiltered)
      ? shared.flatMap(({ left, right }) =>
          compareValues(left.row, right.row, [...path, left.index], areScansKnown),
        )
      : []),
  ];
};

/** Whether a body has all rows of its list, so that their order does not matter. */
const isWhole = (body: unknown): boolean =>
  !isRow(body) ||
  (integerField(body, 'totalPages') ?? 0) <= 1 ||
  (rowsOf(body)?.length ?? 0) >= (integerField(body, 'totalItems') ?? 0);

/** `page` and `limit` do not depend on the data. Totals do, unless the pages have the same rows. */
const compareEnvelopes = (left: unknown, right: unknown, areSameRows: boolean) => {
  if (!isRow(left) || !isRow(right)) return [];
  const compare = (field: string): readonly ResponseDifference[] =>
    compareValues({ [field]: left[field] }, { [field]: right[field] });
  const areSamePages = left.totalItems === right.totalItems && left.limit === right.limit;
  const pages = areSamePages ? compare('totalPages') : [];
  return [
    ...compare('page'),
    ...compare('limit'),
    ...(areSameRows ? compare('totalItems') : []),
    ...(left.totalItems === 0
      ? pages.map((found) => decision('the pages of an empty list', found, found.at))
      : pages),
  ];
};

/** The times by which lists are sorted, and whose order the contract leaves open. */
const orders: Readonly<Record<string, Readonly<{ key: string; name: string }>>> = {
  listConnectedRepos: { key: 'lastScanAt', name: 'repositories of equal or no last scan' },
  listFindings: { key: 'discoveredAt', name: 'findings' },
  listPrs: { key: 'createdAt', name: 'pull requests' },
};

/**
 * Whether the rows that both lists have are in another order, although the data does not explain it. Of
 * repositories it is a difference, unless their last scans are of the same time or there is none.
 */
export const compareOrder = (pair: ResponsePair): readonly ResponseDifference[] => {
  const operation = operationOf(pair.left.request.path)?.id ?? '';
  const { key, name } = orders[operation] ?? { key: '', name: '' };
  const shared = (matchedRows(pair)?.shared ?? []).filter(
    ({ left, right }) => pair.hasSameData || left.row[key] === right.row[key],
  );
  const isFixed = operation === 'listConnectedRepos';
  const timeOf = ({ left }: SharedRow): unknown => left.row[key];
  const wrong = isFixed
    ? moved(shared.filter((rows) => typeof timeOf(rows) === 'string')).filter(
        ([one, other]) => timeOf(one) !== timeOf(other),
      )
    : [];
  const [example] = [...wrong, ...moved(shared)];
  if (example === undefined) return [];
  const [left, right] = example.map((rows) => jsonText(rows.left.row.id));
  const at = pathText([...(isFixed ? [] : ['items']), example[0].left.index]);
  const ids = { left: left ?? '', right: right ?? '' };
  return wrong.length === 0
    ? [decision(`the order of ${name}`, ids, at)]
    : [difference('order', '/*', ids.left, ids.right, { at })];
};

/** Fields whose derivation the contract leaves open. */
const derivedFields = ['openAdvisoryCount', 'openFixDraftId', 'ownerInitial', 'prCount'];

/** The scan that a repository shows; undefined if it was never scanned. */
const scanOf = (row: unknown): ListItem | undefined =>
  isRow(row) && isRow(row.lastScan) && typeof row.lastScan.startedAt === 'string' ? row.lastScan : undefined;

const showSameScan = ({ left, right }: SharedRow): boolean =>
  scanOf(left.row) !== undefined && scanOf(left.row)?.id === scanOf(right.row)?.id;

/** What a server has in place of a row that only the other one has. */
const noSuchRow = 'no such row';

/**
 * Where two values differ, except for fields that only one side has: those differ in shape. Of two scans
 * that began together, either may be the last one, if `areScansKnown`: the servers agree on ids of others.
 */
const compareValues = (
  leftBody: unknown,
  rightBody: unknown,
  path: readonly (string | number)[] = [],
  areScansKnown = false,
): readonly ResponseDifference[] => {
  const [left, right] = [scanOf(leftBody), scanOf(rightBody)];
  const areTied = areScansKnown && left?.startedAt === right?.startedAt && left?.id !== right?.id;
  const isScanOpen = areTied || (left ?? right) === undefined;
  const open = [...derivedFields, ...(isScanOpen ? ['lastScan', 'lastScanAt'] : [])];
  return valueDifferences(leftBody, rightBody, path).flatMap((found) => {
    const isOnBothSides = found.left !== undefined && found.right !== undefined;
    if (!isOnBothSides && typeof found.path.at(-1) === 'string') return [];
    const shown = onBoth(found, (value) =>
      Array.isArray(value) ? itemsText(value.length) : value === undefined ? noSuchRow : jsonText(value),
    );
    const [where, at] = [patternOf(found.path), pathText(found.path)];
    const field = open.find((name) => found.path[path.length] === name);
    return field === undefined
      ? [difference('value', where, shown.left, shown.right, { at })]
      : [decision(`the value of ${field}`, shown, at)];
  });
};

/** The JSON types of values, among them `absent`. */
const typesOf = (values: readonly unknown[]): ReadonlySet<string> =>
  new Set(
    values
      .map((value) => {
        if (value === undefined) return 'absent';
        return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
      })
      .sort(),
  );

/**
 * How the shapes of values differ that the two sides have in one place: in their types, and in whether they
 * are always, sometimes or never present. It is only a note if the data may be the reason: one side has an
 * empty array, or null in place of a value.
 */
const compareShapes = (values: Sides<readonly unknown[]>, where = ''): readonly ResponseDifference[] => {
  const types = onBoth(values, typesOf);
  const texts = onBoth(types, (side) => Array.from(side).join(' or ') || 'nothing to compare');
  if (types.left.size === 0 || types.right.size === 0)
    return types.left.size === types.right.size ? [] : [difference('note', where, texts.left, texts.right)];
  const present = onBoth(types, (side) => Array.from(side).filter((type) => type !== 'absent'));
  const specific = onBoth(present, (side) => side.filter((type) => type !== 'null').join());
  const isPresenceSame =
    types.left.has('absent') === types.right.has('absent') &&
    present.left.length > 0 === present.right.length > 0;
  const isDueToNull =
    isPresenceSame && (specific.left === specific.right || specific.left === '' || specific.right === '');
  const objects = onBoth(values, (side) => side.filter(isRow));
  const arrays = onBoth(values, (side) => side.filter(Array.isArray));
  const isIn = ({ left, right }: Sides<readonly unknown[]>) => left.length > 0 && right.length > 0;
  const keys = isIn(objects) ? new Set([...objects.left, ...objects.right].flatMap(Object.keys)) : [];
  return [
    ...(texts.left === texts.right
      ? []
      : [difference(isDueToNull ? 'note' : 'shape', where, texts.left, texts.right)]),
    ...(isIn(arrays)
      ? compareShapes(
          onBoth(arrays, (side) => side.flat()),
          `${where}/*`,
        )
      : []),
    ...Array.from(keys)
      .sort()
      .flatMap((key) =>
        compareShapes(
          onBoth(objects, (side) => side.map((row) => row[key])),
          `${where}/${key}`,
        ),
      ),
  ];
};
