import { UnknownRecord } from 'io-ts';
import { describe, mismatch, type Problem, pointer, problem } from '../../contract/codecs/problem.js';
import { type Collection, collections, kinds } from './kinds.js';

/** A row of a tenant, wherever the caller has written it. */
export type Row = {
  readonly collection: Collection;
  /** Its fields without the rows that it lists or refers to; the value itself if that is no object. */
  readonly fields: unknown;
  /** Where it was written. */
  readonly place: readonly string[];
  /** The row that lists it or that it refers to: its repository, or its finding. */
  owner: Row | null;
  /** Whether it stands in a list. Otherwise another row refers to it. */
  isListed: boolean;
};

export type CollectedRows = Readonly<{
  rows: Readonly<Record<Collection, readonly Row[]>>;
  problems: readonly Problem[];
}>;

/**
 * Finds all rows of a tenant: those of its lists, those that other rows list, and those that rows refer to.
 * The same object is the same row.
 */
export const collectRows = (tenant: Readonly<Record<string, unknown>>): CollectedRows => {
  const problems: Problem[] = [];
  const rows: Record<Collection, Row[]> = { repos: [], findings: [], scans: [], pullRequests: [] };
  const rowOf = new Map<unknown, Row>();
  const references: (readonly [from: Row, target: unknown])[] = [];

  const addList = (of: Collection, list: unknown, place: readonly string[], owner: Row | null): void => {
    if (list === undefined) return;
    if (!Array.isArray(list)) problems.push(mismatch(place, `a list of ${of}`, describe(list)));
    else for (const [index, value] of list.entries()) add(of, value, [...place, String(index)], owner);
  };

  const add = (of: Collection, value: unknown, place: readonly string[], owner: Row | null): void => {
    const known = rowOf.get(value);
    if (known === undefined) create(of, value, { place, owner, isListed: true });
    else if (known.isListed)
      problems.push(
        problem(place, `the same object as ${pointer(known.place)}; list it once, or make another one`),
      );
    else {
      known.isListed = true;
      known.owner ??= owner;
    }
  };

  const create = (
    collection: Collection,
    value: unknown,
    { place, owner, isListed }: Pick<Row, 'place' | 'owner' | 'isListed'>,
  ): Row => {
    const { lists, link } = kinds[collection];
    const given = UnknownRecord.is(value) ? value : {};
    const target = link === null ? undefined : given[link.field];
    const refers = link !== null && target !== undefined && (UnknownRecord.is(target) || !link.mayBeText);
    const taken = [...Object.keys(lists), ...(refers ? [link.field] : [])];
    const fields = UnknownRecord.is(value)
      ? Object.fromEntries(Object.entries(value).filter(([key]) => !taken.includes(key)))
      : value;
    const row: Row = { collection, fields, place, owner, isListed };
    rows[collection].push(row);
    if (UnknownRecord.is(value)) rowOf.set(value, row);
    if (refers) references.push([row, target]);
    for (const [field, of] of Object.entries(lists)) addList(of, given[field], [...place, field], row);
    return row;
  };

  const follow = (row: Row, target: unknown): void => {
    const { link } = kinds[row.collection];
    if (link === null) return;
    const place = [...row.place, link.field];
    if (!UnknownRecord.is(target)) {
      problems.push(mismatch(place, `what ${link.field}() returns`, describe(target)));
      return;
    }
    const found = rowOf.get(target) ?? create(link.to, target, { place, owner: null, isListed: false });
    if (found.collection !== link.to)
      problems.push(problem(place, `expected one of ${link.to}, got one of ${found.collection}`));
    else if (row.owner !== null && row.owner !== found)
      problems.push(problem(place, `not the ${link.field} that lists it, ${pointer(row.owner.place)}`));
    else row.owner = found;
  };

  for (const collection of collections) addList(collection, tenant[collection], [collection], null);
  addList('findings', tenant.fixDrafts, ['fixDrafts'], null);
  // The list grows while it is read, because what a row refers to may refer to another row.
  for (const [row, target] of references) follow(row, target);
  return { rows, problems };
};
