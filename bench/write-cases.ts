import { hotNumber, hotRepo, type Write, writes } from './writes.js';

/** A kind of transaction: each call gives the statements of another one. */
export type WriteCase = Readonly<{ title: string; transaction: () => readonly Write[] }>;

const pick = <A>(values: readonly [A, ...(readonly A[])]): A =>
  values[Math.floor(Math.random() * values.length)] ?? values[0];

/**
 * What is measured, for a tenant of so many findings and pull requests. All of it goes to five repositories.
 * As many rows are deleted as were inserted by the cases before.
 */
export const writeCases = (rows: number): readonly WriteCase[] => {
  const { nextFinding, nextPr, inserted } = insertions(rows);
  const single = (title: string, write: () => Write): WriteCase => ({ title, transaction: () => [write()] });
  return [
    single('update the status of a finding', () => writes.setStatus(hotNumber(rows), status())),
    single('update the CI status of a finding', () => writes.setCiStatus(hotNumber(rows))),
    single('update the state of a pull request', () => writes.setPrState(hotNumber(rows), prState())),
    {
      title: 'update the status of three findings',
      transaction: () => inLockOrder([0, 1, 2].map(() => writes.setStatus(hotNumber(rows), status()))),
    },
    single('insert a finding', nextFinding),
    single('insert a pull request', nextPr),
    single('delete a pull request', () => writes.deletePr(inserted.prs.shift() ?? '')),
    single('delete a finding', () => writes.deleteFinding(inserted.findings.shift() ?? '')),
  ];
};

/**
 * Transactions of four writes of all kinds. They lock existing rows in the order of the tables and ids, and
 * change or delete only rows that no other transaction knows; so only what a trigger locks can deadlock.
 */
export const mixedCase = (rows: number): WriteCase => {
  const { nextFinding, inserted } = insertions(rows);
  const kinds = [
    () => writes.setStatus(hotNumber(rows), status()),
    () => writes.setStatus(hotNumber(rows), status()),
    () => writes.setPrState(hotNumber(rows), prState()),
    nextFinding,
    () => writes.moveFinding(inserted.findings.shift() ?? '', hotRepo()),
    () => writes.deleteFinding(inserted.findings.shift() ?? ''),
    () => writes.insertScan(hotRepo()),
  ] as const;
  return {
    title: 'four writes of all kinds',
    transaction: () => inLockOrder([0, 1, 2, 3].map(() => pick(kinds)())),
  };
};

const status = (): string => pick(['pending', 'drafting', 'escalated', 'resolved']);
const prState = (): string => pick(['open', 'merged', 'closed']);

/** New rows, and the ids of those that have not been deleted yet. */
const insertions = (rows: number) => {
  const inserted: { findings: string[]; prs: string[] } = { findings: [], prs: [] };
  const prefix = Math.random().toString(36).slice(2);
  let last = 0;
  const nextId = (ids: string[]): string => {
    last += 1;
    const id = `${prefix}_${last}`;
    ids.push(id);
    return id;
  };
  return {
    inserted,
    nextFinding: () => writes.insertFinding(nextId(inserted.findings), hotRepo()),
    nextPr: () => writes.insertPr(nextId(inserted.prs), hotNumber(rows), prState()),
  };
};

/** In the order of the rows, so that two transactions never wait for each other's rows. */
const inLockOrder = (transaction: readonly Write[]): readonly Write[] =>
  transaction.toSorted((l, r) => (l.row < r.row ? -1 : l.row > r.row ? 1 : 0));
