import { type OutputOf, UnknownRecord } from 'io-ts';
import * as E from '#fp-ts/Either';
import { TriageApiError } from '../../common/messages.js';
import {
  describe,
  formatProblem,
  mismatch,
  type Problem,
  pointer,
  problem,
} from '../../contract/codecs/problem.js';
import { Identifier, Integer } from '../../contract/codecs/text-and-numbers.js';
import { completeFixture } from '../../fixtures/complete-fixture.js';
import { defaultRepo, linkRows, nameOf } from '../../fixtures/link-rows.js';
import { digest } from '../../fixtures/made-up-values.js';
import type { Dataset } from '../../records/dataset.js';
import { validateDataset } from '../../records/validate-dataset.js';
import type { ApiTokenFields, SessionFields, UserFields } from './fields.js';
import type { Finding, PullRequest, Repo, Scan } from './index.js';

/** The collections of a tenant, in the order in which they are read. */
const collections = ['repos', 'findings', 'scans', 'pullRequests'] as const;
type Collection = (typeof collections)[number];

/** What rows of a collection list, and what they refer to. */
type Kind = Readonly<{
  /** The fields that hold lists of other rows. */
  lists: Readonly<Record<string, Collection>>;
  /** The field that refers to another row, and the one that has the id of that row in a fixture file. */
  link: Readonly<{ field: string; idField: string; to: Collection; mayBeText: boolean }> | null;
}>;

const inRepo = { field: 'repo', idField: 'repoId', to: 'repos', mayBeText: true } as const;

const kinds: Readonly<Record<Collection, Kind>> = {
  repos: { lists: { findings: 'findings', scans: 'scans' }, link: null },
  findings: {
    lists: { pullRequests: 'pullRequests' },
    link: inRepo,
  },
  scans: { lists: {}, link: inRepo },
  pullRequests: {
    lists: {},
    link: { field: 'finding', idField: 'draftId', to: 'findings', mayBeText: false },
  },
};

/** A row of a tenant, wherever the caller has written it. */
type Row = {
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

type CollectedRows = Readonly<{
  rows: Readonly<Record<Collection, readonly Row[]>>;
  problems: readonly Problem[];
}>;

/**
 * Finds all rows of a tenant: those of its lists, those that other rows list, and those that rows refer to.
 * The same object is the same row.
 */
const collectRows = (tenant: Readonly<Record<string, unknown>>): CollectedRows => {
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

/** A row of `repos`, and its name as other rows of a fixture file have it: "owner/name". */
type NamedRepo = Readonly<{ fields: unknown; fullName: string }>;

/**
 * Names the repositories without a name: "app", "app-2" and so on, so that `many(3, () => repo())` makes
 * three that differ. `name` is that of the tenant.
 */
const namedRepos = (rows: readonly unknown[], name: string): readonly NamedRepo[] => {
  const given = rows.map((fields) => fullNameOf(fields, name));
  const taken = new Set(given.filter((each) => each !== undefined));
  return rows.map((fields, index) => {
    const fullName = given[index];
    if (fullName !== undefined) return { fields, fullName };
    const owner = textAt(fields, 'owner') ?? defaultRepo(name).owner;
    let [repo, count] = [defaultRepo(name).repo, 1];
    while (taken.has(nameOf({ owner, repo }))) {
      count += 1;
      repo = `${defaultRepo(name).repo}-${count}`;
    }
    taken.add(nameOf({ owner, repo }));
    return {
      fields: count > 1 && UnknownRecord.is(fields) ? { ...fields, repo } : fields,
      fullName: nameOf({ owner, repo }),
    };
  });
};

/** Undefined if the row says no name. Without `owner`, `repo` may be the full name. */
const fullNameOf = (fields: unknown, name: string): string | undefined => {
  const [owner, repo] = [textAt(fields, 'owner'), textAt(fields, 'repo')];
  if (repo === undefined) return undefined;
  return owner === undefined && repo.includes('/')
    ? repo
    : nameOf({ owner: owner ?? defaultRepo(name).owner, repo });
};

/** The text in a field; undefined if there is none. */
const textAt = (fields: unknown, field: string): string | undefined => {
  const value = UnknownRecord.is(fields) ? fields[field] : undefined;
  return typeof value === 'string' ? value : undefined;
};

/** A problem of a completed row, at the place where the caller has written that row. */
const atItsPlace = (rows: CollectedRows['rows']): ((found: Problem) => Problem) => {
  const placeOf = (path: readonly string[]): readonly string[] => {
    const [first, index, ...rest] = path;
    const collection = collections.find((name) => name === first);
    const row = collection === undefined ? undefined : rows[collection][Number(index)];
    return row === undefined ? path : [...row.place, ...rest];
  };
  return ({ path, message, expected }) => ({
    path: placeOf(path),
    message: message.replace(
      /; \/(\S+) has it already$/,
      (_, other: string) => `; ${pointer(placeOf(other.split('/')))} has it already`,
    ),
    expected,
  });
};

/** What rows of a fixture file have, and builders do not need. */
type RowIds = Readonly<{
  /** The id of a row; undefined for a pull request. */
  idOf: (row: Row) => string | undefined;
  /** The fields of a row, with a name if it is a repository. */
  fieldsOf: (row: Row) => unknown;
  /** With a seed, the repositories that rows name as text, because their ids depend on it. */
  unlistedRepos: readonly object[];
}>;

/**
 * Gives ids to rows without one, except to pull requests, to which no other row refers. Without a seed, they
 * are those of a fixture file with the same rows. What is completed follows from the ids, so that a seed
 * changes both.
 */
const rowIds = (rows: CollectedRows['rows'], name: string, seed: number | undefined): RowIds => {
  const named = namedRepos(
    rows.repos.map(({ fields }) => fields),
    name,
  );
  const repos = new Map(named.map((each, i): [Row | undefined, NamedRepo] => [rows.repos[i], each]));
  /** The row as it would stand in a fixture file. */
  const written = (row: Row): unknown => {
    const repo = row.owner === null ? undefined : repos.get(row.owner)?.fullName;
    return repo !== undefined && UnknownRecord.is(row.fields) ? { repo, ...row.fields } : row.fields;
  };
  const links = linkRows(
    {
      repos: named.map(({ fields }) => fields),
      findings: rows.findings.map(written),
      scans: rows.scans.map(written),
    },
    name,
  );
  const made = (id: string): string =>
    seed === undefined ? id : `${id.slice(0, id.indexOf('_'))}_${digest(`${id}\n${seed}`)}`;
  const ids = new Map<Row, string>();
  for (const [list, linked] of [
    [rows.repos, links.repos],
    [rows.findings, links.findings],
    [rows.scans, links.scans],
  ] as const)
    for (const [i, row] of list.entries())
      ids.set(row, textAt(row.fields, 'id') ?? made(linked[i]?.id ?? ''));
  return {
    idOf: (row) => ids.get(row),
    fieldsOf: (row) => repos.get(row)?.fields ?? row.fields,
    unlistedRepos:
      seed === undefined
        ? []
        : links.repos
            .filter(({ index }) => index === null)
            .map(({ id, owner, repo }) => ({ id: made(id), owner, repo })),
  };
};

/** The rows as they stand in a fixture file, and what contradicts itself. */
type SparseRows = Readonly<{
  collections: Readonly<Record<Collection, readonly unknown[]>>;
  problems: readonly Problem[];
}>;

/** Replaces references to other rows by their ids. `name` is that of the tenant. */
const sparseRows = (rows: CollectedRows['rows'], name: string, seed: number | undefined): SparseRows => {
  const problems: Problem[] = [];
  const { idOf, fieldsOf, unlistedRepos } = rowIds(rows, name, seed);
  const linked = (row: Row): unknown => {
    const fields = fieldsOf(row);
    if (!UnknownRecord.is(fields)) return fields;
    const id = idOf(row);
    const own = id === undefined || fields.id !== undefined ? fields : { ...fields, id };
    const { link } = kinds[row.collection];
    const ownerId = row.owner === null ? undefined : idOf(row.owner);
    if (link === null || ownerId === undefined) return own;
    const given = own[link.idField];
    if (given !== undefined && given !== ownerId)
      problems.push(
        problem(
          [...row.place, link.idField],
          `contradicts ${link.field}: its id is ${describe(ownerId)}, not ${describe(given)}`,
        ),
      );
    return { ...own, [link.idField]: ownerId };
  };
  return {
    collections: {
      repos: [...rows.repos.map(linked), ...unlistedRepos],
      findings: rows.findings.map(linked),
      scans: rows.scans.map(linked),
      pullRequests: rows.pullRequests.map(linked),
    },
    problems,
  };
};

/** A tenant as a test describes it. */
export interface TenantFields {
  /**
   * The user and the credentials are made from it. Default: "tenant", or with a seed such as 7 "tenant-7".
   */
  readonly name?: string | undefined;
  /**
   * Varies what is completed: the same seed gives the same data. Default: what a fixture file with the same
   * rows is completed with.
   */
  readonly seed?: number | undefined;
  /** When this data was up to date. All dates are shifted by the time since then. */
  readonly asOf?: string | undefined;
  /** The user. Default: made from the name. */
  readonly user?: UserFields | undefined;
  /** Sessions of the user. Default: `NAME-session` if the user has no password. */
  readonly sessions?: readonly SessionFields[] | undefined;
  /** API tokens of the user. Default: `NAME-token` if the user has no password. */
  readonly apiTokens?: readonly ApiTokenFields[] | undefined;
  /** Connected repositories. Those that other rows name or refer to need not be listed. */
  readonly repos?: readonly Repo[] | undefined;
  /** Findings. */
  readonly findings?: readonly Finding[] | undefined;
  /** More findings: what `tenant` returns has them here. */
  readonly fixDrafts?: readonly Finding[] | undefined;
  /** Scans. Each repository gets a finished one if it has none. */
  readonly scans?: readonly Scan[] | undefined;
  /** Pull requests. Those that findings list need not be listed. */
  readonly pullRequests?: readonly PullRequest[] | undefined;
}

/** A complete tenant: the content of a fixture file. */
export type TenantData = Readonly<Omit<OutputOf<typeof Dataset>, '$schema'>>;

/**
 * Completes a tenant, for a server, for handlers or for a file. It is plain data, which may be copied and
 * changed. Throws a `TriageApiError` that lists every problem with its place.
 */
export const tenant = (fields: TenantFields = {}): TenantData => {
  if (!UnknownRecord.is(fields))
    throw new TriageApiError([`tenant: expected the fields of a tenant, got ${describe(fields)}`]);
  const { name, seed, repos, findings, fixDrafts, scans, pullRequests, ...rest } = fields;
  const named = Identifier.is(name) ? name : Integer.is(seed) ? `tenant-${seed}` : 'tenant';
  const collected = collectRows({ repos, findings, fixDrafts, scans, pullRequests });
  const sparse = sparseRows(collected.rows, named, Integer.is(seed) ? seed : undefined);
  const completed = completeFixture({ ...rest, ...sparse.collections }, named);
  const valid = E.isLeft(completed) ? completed : validateDataset(completed.right);
  const problems = [
    ...wrongSettings(name, seed),
    ...collected.problems,
    ...sparse.problems,
    ...(E.isLeft(valid) ? valid.left.map(atItsPlace(collected.rows)) : []),
  ];
  if (E.isLeft(valid) || problems.length > 0)
    throw new TriageApiError(
      problems.map((each) => `tenant${each.path.length === 0 ? ':' : ''} ${formatProblem(each)}`),
    );
  const { $schema: _, ...data } = valid.right;
  return data;
};

const wrongSettings = (name: unknown, seed: unknown): readonly Problem[] => [
  ...(name === undefined || Identifier.is(name) ? [] : [mismatch(['name'], Identifier.name, describe(name))]),
  ...(seed === undefined || Integer.is(seed) ? [] : [mismatch(['seed'], Integer.name, describe(seed))]),
];
