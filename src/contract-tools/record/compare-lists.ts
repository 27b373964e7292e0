import { canonicalJson } from '../../common/json.js';
import type { TenantLists } from './tenant-lists.js';

/** One thing that a server and the fixture file recorded from it return differently. */
export type ListDifference = Readonly<{ list: keyof TenantLists; id: string }> &
  (
    | Readonly<{ kind: 'left out' | 'added' }>
    /** The two values of a field. */
    | Readonly<{ kind: 'field'; field: string; recorded: unknown; served: unknown }>
    /** From the row `id` on, the order differs; the file serves the row `servedId` in its place. */
    | Readonly<{ kind: 'order'; servedId: string }>
  );

type Row = Readonly<{ id: string }>;

/** Compares what a server returned with what serving its fixture file returns, except for relative times. */
export const compareLists = (recorded: TenantLists, served: TenantLists): readonly ListDifference[] => [
  ...compareRows('repos', recorded.repos, served.repos, ({ id }) => id),
  ...compareRows('findings', recorded.findings, served.findings, ({ id }) => id),
  // Pull requests are matched by their own fields; the others come from the finding and the repository.
  ...compareRows(
    'prs',
    recorded.prs,
    served.prs,
    ({ repoId, repo, advisoryId, package: packageName, ...own }) => canonicalJson(own),
  ),
];

const compareRows = <A extends Row>(
  list: keyof TenantLists,
  recordedRows: readonly A[],
  servedRows: readonly A[],
  keyOf: (row: A) => string,
): readonly ListDifference[] => {
  const recorded = byKey(recordedRows, keyOf);
  const served = byKey(servedRows, keyOf);
  return [
    ...only(recorded, served).map(({ id }) => ({ list, id, kind: 'left out' }) as const),
    ...only(served, recorded).map(({ id }) => ({ list, id, kind: 'added' }) as const),
    ...Array.from(recorded).flatMap(([key, row]) => compareFields(list, row, served.get(key) ?? row)),
    ...compareOrder(list, recorded, served),
  ];
};

/** Rows by key. A counter keeps rows of the same key apart. */
const byKey = <A>(rows: readonly A[], keyOf: (row: A) => string): ReadonlyMap<string, A> => {
  const counts = new Map<string, number>();
  return new Map(
    rows.map((row) => {
      const key = keyOf(row);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return [`${count} ${key}`, row];
    }),
  );
};

/** The rows that the other list does not have. */
const only = <A>(rows: ReadonlyMap<string, A>, others: ReadonlyMap<string, A>): readonly A[] =>
  Array.from(rows).flatMap(([key, row]) => (others.has(key) ? [] : [row]));

const compareFields = (list: keyof TenantLists, recorded: Row, served: Row): readonly ListDifference[] => {
  const servedFields = new Map<string, unknown>(Object.entries(served));
  return Object.entries(recorded).flatMap(([field, value]): readonly ListDifference[] => {
    const servedValue = servedFields.get(field);
    return field === 'lastScanRelative' || canonicalJson(value) === canonicalJson(servedValue)
      ? []
      : [{ list, id: recorded.id, kind: 'field', field, recorded: value, served: servedValue }];
  });
};

/** The first place where the rows that both lists have come in a different order. */
const compareOrder = <A extends Row>(
  list: keyof TenantLists,
  recorded: ReadonlyMap<string, A>,
  served: ReadonlyMap<string, A>,
): readonly ListDifference[] => {
  const recordedShared = Array.from(recorded).filter(([key]) => served.has(key));
  const servedShared = Array.from(served).filter(([key]) => recorded.has(key));
  const index = recordedShared.findIndex(([key], i) => key !== servedShared[i]?.[0]);
  const [recordedRow, servedRow] = [recordedShared[index]?.[1], servedShared[index]?.[1]];
  return recordedRow === undefined || servedRow === undefined
    ? []
    : [{ list, id: recordedRow.id, kind: 'order', servedId: servedRow.id }];
};
