import { type OutputOf, UnknownRecord } from 'io-ts';
import * as E from '#fp-ts/Either';
import { textOf } from '../../common/json.js';
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
import type { Dataset } from '../../fixtures/dataset.js';
import { defaultRepo, linkRows, nameOf } from '../../fixtures/link-rows.js';
import { digest } from '../../fixtures/made-up-values.js';
import { validateDataset } from '../../fixtures/validate-dataset.js';
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

/** A value in which the text of a moment stands in the place of each `Date`. */
export const withoutDates = (value: unknown): unknown => {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  if (Array.isArray(value)) return value.map(withoutDates);
  if (!UnknownRecord.is(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutDates(inner)]));
};

/** A row of a tenant, wherever the caller has written it. */
type Built = {
  readonly collection: Collection;
  /** Its fields without the rows that it lists or refers to; the value itself if that is no object. */
  readonly fields: unknown;
  /** Where it was written. */
  readonly place: readonly string[];
  /** The row that lists it or that it refers to: its repository, or its finding. */
  owner: Built | null;
  /** Whether it stands in a list. Otherwise another row refers to it. */
  isListed: boolean;
};

type CollectedRows = Readonly<{
  rows: Readonly<Record<Collection, readonly Built[]>>;
  problems: readonly Problem[];
}>;

/**
 * Finds all rows of a tenant: those of its lists, those that other rows list, and those that rows refer to.
 * The same object is the same row.
 */
const collectRows = (tenant: Readonly<Record<string, unknown>>): CollectedRows => {
  const problems: Problem[] = [];
  const rows: Record<Collection, Built[]> = { repos: [], findings: [], scans: [], pullRequests: [] };
  const rowOf = new Map<unknown, Built>();
  const references: (readonly [from: Built, target: unknown])[] = [];

  const addList = (of: Collection, list: unknown, place: readonly string[], owner: Built | null): void => {
    if (list === undefined) return;
    if (!Array.isArray(list)) problems.push(mismatch(place, `a list of ${of}`, describe(list)));
    else for (const [index, value] of list.entries()) add(of, value, [...place, String(index)], owner);
  };

  const add = (of: Collection, value: unknown, place: readonly string[], owner: Built | null): void => {
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
    { place, owner, isListed }: Pick<Built, 'place' | 'owner' | 'isListed'>,
  ): Built => {
    const { lists, link } = kinds[collection];
    const given = UnknownRecord.is(value) ? value : {};
    const target = link === null ? undefined : given[link.field];
    const refers = link !== null && target !== undefined && (UnknownRecord.is(target) || !link.mayBeText);
    const taken = [...Object.keys(lists), ...(refers ? [link.field] : [])];
    const fields = UnknownRecord.is(value)
      ? withoutDates(Object.fromEntries(Object.entries(value).filter(([key]) => !taken.includes(key))))
      : value;
    const row: Built = { collection, fields, place, owner, isListed };
    rows[collection].push(row);
    if (UnknownRecord.is(value)) rowOf.set(value, row);
    if (refers) references.push([row, target]);
    for (const [field, of] of Object.entries(lists)) addList(of, given[field], [...place, field], row);
    return row;
  };

  const follow = (row: Built, target: unknown): void => {
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

/** The fields of a repository, and its name as other rows of a fixture file have it: "owner/name". */
type NamedRepo = Readonly<{ fields: unknown; fullName: string }>;

/**
 * Names the repositories without a name: "app", "app-2" and so on, so that `many(3, () => repo())` makes
 * three that differ. `name` is that of the tenant.
 */
const namedRepos = (rows: readonly Built[], name: string): ReadonlyMap<Built, NamedRepo> => {
  const standard = defaultRepo(name);
  const names = new Map<Built, NamedRepo>();
  for (const row of rows) {
    const [owner, repo] = [textOf(row.fields, 'owner'), textOf(row.fields, 'repo')];
    if (repo === undefined) continue;
    // Without `owner`, `repo` may be the full name.
    const isFull = owner === undefined && repo.includes('/');
    const fullName = isFull ? repo : nameOf({ owner: owner ?? standard.owner, repo });
    names.set(row, { fields: row.fields, fullName });
  }
  const taken = new Set(Array.from(names.values(), ({ fullName }) => fullName));
  const named = (row: Built): NamedRepo => {
    const owner = textOf(row.fields, 'owner') ?? standard.owner;
    let { repo } = standard;
    for (let count = 2; taken.has(nameOf({ owner, repo })); count += 1) repo = `${standard.repo}-${count}`;
    taken.add(nameOf({ owner, repo }));
    const isOther = repo !== standard.repo && UnknownRecord.is(row.fields);
    return {
      fields: isOther ? { ...row.fields, repo } : row.fields,
      fullName: nameOf({ owner, repo }),
    };
  };
  return new Map(rows.map((row) => [row, names.get(row) ?? named(row)]));
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

/**
 * The rows as they stand in a fixture file, with ids for references to other rows, and what contradicts
 * itself. Rows without an id get one, except pull requests, to which no other row refers. Without a seed, the
 * ids are those of a fixture file with the same rows. What is completed follows from the ids, so that a seed
 * changes both. `name` is that of the tenant.
 */
const sparseRows = (rows: CollectedRows['rows'], name: string, seed: number | undefined) => {
  const problems: Problem[] = [];
  const repos = namedRepos(rows.repos, name);
  const fieldsOf = (row: Built): unknown => repos.get(row)?.fields ?? row.fields;
  /** The row as it would stand in a fixture file. */
  const toFixtureRow = (row: Built): unknown => {
    const repo = row.owner === null ? undefined : repos.get(row.owner)?.fullName;
    return repo !== undefined && UnknownRecord.is(row.fields) ? { repo, ...row.fields } : row.fields;
  };
  const { repos: linkedRepos, ...links } = linkRows(
    {
      repos: rows.repos.map(fieldsOf),
      findings: rows.findings.map(toFixtureRow),
      scans: rows.scans.map(toFixtureRow),
    },
    name,
  );
  const varied = (id: string): string =>
    seed === undefined ? id : `${id.slice(0, id.indexOf('_'))}_${digest(`${id}\n${seed}`)}`;
  const made = { repos: linkedRepos, findings: links.findings, scans: links.scans, pullRequests: [] };
  const ids = new Map<Built, string>();
  for (const collection of collections)
    for (const [i, { id }] of made[collection].entries()) {
      const row = rows[collection][i];
      if (row !== undefined) ids.set(row, textOf(row.fields, 'id') ?? varied(id));
    }
  const linked = (row: Built): unknown => {
    const fields = fieldsOf(row);
    if (!UnknownRecord.is(fields)) return fields;
    const own = fields.id === undefined ? { ...fields, id: ids.get(row) } : fields;
    const { link } = kinds[row.collection];
    const ownerId = row.owner === null ? undefined : ids.get(row.owner);
    if (link === null || ownerId === undefined) return own;
    const ownerInRow = fields[link.idField];
    if (ownerInRow !== undefined && ownerInRow !== ownerId)
      problems.push(
        problem(
          [...row.place, link.idField],
          `contradicts ${link.field}: its id is ${describe(ownerId)}, not ${describe(ownerInRow)}`,
        ),
      );
    return { ...own, [link.idField]: ownerId };
  };
  // Repositories that rows name as text are listed if their ids depend on the seed.
  const unlisted = seed === undefined ? [] : linkedRepos.filter(({ index }) => index === null);
  const listed = unlisted.map(({ id, owner, repo }) => ({ id: varied(id), owner, repo }));
  return {
    collections: {
      repos: [...rows.repos.map(linked), ...listed],
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
  readonly asOf?: string | Date | undefined;
  /** The user. Default: made from the name. */
  readonly user?: UserFields | undefined;
  /** Sessions of the user. Default: `NAME-session`; an empty list means none. */
  readonly sessions?: readonly SessionFields[] | undefined;
  /** API tokens of the user. Default: `NAME-token`; an empty list means none. */
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
  const { $schema: _, ...data } = datasetOf(fields);
  return data;
};

/** The same as a dataset. */
export const datasetOf = (fields: TenantFields): Dataset => {
  if (!UnknownRecord.is(fields))
    throw new TriageApiError([`tenant: expected the fields of a tenant, got ${describe(fields)}`]);
  const { name, seed, repos, findings, fixDrafts, scans, pullRequests, ...rest } = fields;
  const named = Identifier.is(name) ? name : Integer.is(seed) ? `tenant-${seed}` : 'tenant';
  const collected = collectRows({ repos, findings, fixDrafts, scans, pullRequests });
  const sparse = sparseRows(collected.rows, named, Integer.is(seed) ? seed : undefined);
  const completed = completeFixture({ ...Object(withoutDates(rest)), ...sparse.collections }, named);
  const valid = E.isLeft(completed) ? completed : validateDataset(completed.right);
  const problems = [
    ...(name === undefined || Identifier.is(name)
      ? []
      : [mismatch(['name'], Identifier.name, describe(name))]),
    ...(seed === undefined || Integer.is(seed) ? [] : [mismatch(['seed'], Integer.name, describe(seed))]),
    ...collected.problems,
    ...sparse.problems,
    ...(E.isLeft(valid) ? valid.left.map(atItsPlace(collected.rows)) : []),
  ];
  if (E.isLeft(valid) || problems.length > 0)
    throw new TriageApiError(
      problems.map((each) => `tenant${each.path.length === 0 ? ':' : ''} ${formatProblem(each)}`),
    );
  return valid.right;
};
