import { canonicalJson } from '../common/canonical-json.js';
import type { Answers } from './answers.js';

/** One thing that serving the file answers otherwise than the server that was recorded. */
export type Difference = Readonly<{
  list: keyof Answers;
  row: string;
  /** `left out`, `added`: a row; `order`: from this row on; else the field of a row, with what either says. */
  kind: 'left out' | 'added' | 'order' | 'field';
  field: string;
  said: unknown;
  served: unknown;
}>;

type Row = Readonly<{ id: string }>;

/** All that serving answers otherwise, but for the words that change as time passes. */
export const differencesBetween = (said: Answers, served: Answers): readonly Difference[] => [
  ...compared('repos', said.repos, served.repos, ({ id }) => id),
  ...compared('findings', said.findings, served.findings, ({ id }) => id),
  // What a pull request has of its own tells it apart; the rest comes from its finding and repository.
  ...compared('prs', said.prs, served.prs, ({ repoId, repo, advisoryId, package: name, ...own }) =>
    canonicalJson(own),
  ),
];

const compared = <A extends Row>(
  list: keyof Answers,
  said: readonly A[],
  served: readonly A[],
  keyOf: (row: A) => string,
): readonly Difference[] => {
  const theirs = keyed(said, keyOf);
  const ours = keyed(served, keyOf);
  const whole = (kind: 'left out' | 'added', row: A): Difference => ({
    list,
    row: row.id,
    kind,
    field: '',
    said: null,
    served: null,
  });
  return [
    ...Array.from(theirs).flatMap(([key, row]) => (ours.has(key) ? [] : [whole('left out', row)])),
    ...Array.from(ours).flatMap(([key, row]) => (theirs.has(key) ? [] : [whole('added', row)])),
    ...Array.from(theirs).flatMap(([key, row]) => otherFields(list, row, ours.get(key) ?? row)),
    ...otherOrder(list, theirs, ours),
  ];
};

/** Rows by their keys, those of one key numbered. */
const keyed = <A>(rows: readonly A[], keyOf: (row: A) => string): ReadonlyMap<string, A> => {
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

const otherFields = (list: keyof Answers, said: Row, served: Row): readonly Difference[] => {
  const ours = new Map<string, unknown>(Object.entries(served));
  return Object.entries(said)
    .filter(
      ([field, value]) =>
        field !== 'lastScanRelative' && canonicalJson(value) !== canonicalJson(ours.get(field)),
    )
    .map(([field, value]) => ({
      list,
      row: said.id,
      kind: 'field' as const,
      field,
      said: value,
      served: ours.get(field),
    }));
};

/** The first place where what both have comes in another order. */
const otherOrder = <A extends Row>(
  list: keyof Answers,
  theirs: ReadonlyMap<string, A>,
  ours: ReadonlyMap<string, A>,
): readonly Difference[] => {
  const expected = Array.from(theirs).filter(([key]) => ours.has(key));
  const got = Array.from(ours).filter(([key]) => theirs.has(key));
  const at = expected.findIndex(([key], index) => key !== got[index]?.[0]);
  const [left, right] = [expected[at]?.[1], got[at]?.[1]];
  return left === undefined || right === undefined
    ? []
    : [{ list, row: left.id, kind: 'order', field: '', said: left.id, served: right.id }];
};
