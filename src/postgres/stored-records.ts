import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { ApiTokenRecord, SessionRecord, UserRecord } from '../accounts/account-records.js';
import {
  type FixDraftDetails,
  FixDraftRecord,
  type PullRequestDetails,
  PullRequestRecord,
  type RepoDetails,
  RepoRecord,
  ScanRecord,
  type TenantRows,
} from '../api/row-records.js';
import type { StorageError } from '../api/storage-port.js';
import { Described, listOf, Nullable, nullable } from '../contract/codecs/combinators.js';
import { problemsOf } from '../contract/codecs/problem.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { Count, Identifier } from '../contract/codecs/text-and-numbers.js';
import { earliest, isDate, latest, timestampAt } from '../contract/codecs/timestamp.js';
import type { Database, Outcome, Statement } from './database.js';

// How records stand in columns. Codecs of records decide what is valid; times alone are written differently.

/** The column of a field: `repo_id` of `repoId`. Tables are named in the same way. */
export const columnOf = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const fieldOf = (column: string): string =>
  column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A time as a parameter of a statement: the year 0000 is 1 BC to PostgreSQL. */
export const storedTime = (at: string): string => (at.startsWith('0000-') ? `0001${at.slice(4)} BC` : at);

/** Writes a record as the columns of its table. */
const toColumns = (codec: t.Mixed) => {
  const fields = fieldsOf(codec);
  return (record: object): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      Object.entries(record).map(([field, value]) => [
        columnOf(field),
        isDate(fields[field]) && typeof value === 'string' ? storedTime(value) : value,
      ]),
    );
};

/** The rows of a tenant as an argument of the function `add_rows`. */
export const toColumnsOfRows = (rows: Partial<TenantRows>, repoOf: RepoOf): string =>
  JSON.stringify({
    repos: rows.repos?.map(toColumns(RepoRecord)),
    scans: rows.scans?.map(toColumns(ScanRecord)),
    fix_drafts: rows.fixDrafts?.map(toColumns(FixDraftRecord)),
    pull_requests: rows.pullRequests?.map((each) => ({
      ...pullRequestColumns(each),
      repo_id: repoOf.get(each.draftId),
    })),
  });

/** The repository of each fix draft, which its pull requests name as well. */
type RepoOf = ReadonlyMap<string, string>;

export const repoOfDrafts = ({ fixDrafts }: TenantRows): RepoOf =>
  new Map(fixDrafts.map(({ id, repoId }) => [id, repoId]));

/** The fields of the codec of a record. */
const fieldsOf = (codec: t.Mixed): t.Props => {
  if (codec instanceof Described || codec instanceof Nullable) return fieldsOf(codec.codec);
  if (codec instanceof t.ExactType) return fieldsOf(codec.type);
  return codec instanceof StrictObject || codec instanceof t.InterfaceType ? codec.props : {};
};

/** What the database has sent, with the names of fields, and with times as codecs of records have them. */
export const fromColumns = (codec: t.Mixed, value: unknown): unknown => {
  if (isDate(codec)) return timeOf(value);
  if (!t.UnknownRecord.is(value)) return value;
  const fields = fieldsOf(codec);
  return Object.fromEntries(
    Object.entries(value).map(([column, cell]) => {
      // Reads name their columns as the fields, and have the most rows by far.
      const field = Object.hasOwn(fields, column) ? column : fieldOf(column);
      return [field, fromColumns(fields[field] ?? t.unknown, cell)];
    }),
  );
};

/** A time in milliseconds since 1970, or as text in UTC. */
const timeOf = (value: unknown): unknown => {
  const text = typeof value === 'string' && value.endsWith(' BC') ? `0000${value.slice(4, -3)}` : value;
  const milliseconds = typeof text === 'string' ? Date.parse(text) : text;
  const isMoment = typeof milliseconds === 'number' && milliseconds >= earliest && milliseconds <= latest;
  return isMoment ? timestampAt(milliseconds) : value;
};

export const userColumns = toColumns(UserRecord);
export const sessionColumns = toColumns(SessionRecord);
export const apiTokenColumns = toColumns(ApiTokenRecord);
const pullRequestColumns = toColumns(PullRequestRecord);

/** The rows of a read: their columns as a list for SELECT, and how they are decoded from its JSON. */
export type StoredRows<A> = Readonly<{
  columns: string;
  decode: (rows: unknown) => t.Validation<readonly A[]>;
}>;

const storedRows = <P extends t.Props, A>(
  name: string,
  fields: P,
  toRecord: (row: t.TypeOf<t.ExactC<t.TypeC<P>>>) => A,
): StoredRows<A> => {
  const row = t.strict(fields, name);
  const codec = listOf(row);
  return {
    columns: columnsOf(fields),
    decode: (rows) =>
      E.map((records: t.TypeOf<typeof codec>) => records.map(toRecord))(
        codec.decode(Array.isArray(rows) ? rows.map((each) => fromColumns(row, each)) : rows),
      ),
  };
};

/** Times are sent in milliseconds since 1970, which PostgreSQL formats faster than text. */
const columnsOf = (fields: t.Props): string =>
  Object.entries(fields)
    .map(([field, codec]) => {
      const column = columnOf(field);
      return `${isDate(codec) ? `(date_part('epoch', ${column}) * 1000)::bigint` : column} AS "${field}"`;
    })
    .join(', ');

const fixDraft = FixDraftRecord.props;

export const fixDrafts: StoredRows<FixDraftRecord> = storedRows('fix draft', fixDraft, (row) => row);

export const fixDraftDetails: StoredRows<FixDraftDetails> = storedRows(
  'fix draft with its pull requests',
  { ...fixDraft, prCount: Count },
  ({ prCount, ...draft }) => ({ draft, prCount }),
);

export const pullRequests: StoredRows<PullRequestDetails> = storedRows(
  'pull request with its draft and its repository',
  {
    ...PullRequestRecord.props,
    repoId: FixDraftRecord.props.repoId,
    advisoryId: FixDraftRecord.props.advisoryId,
    package: FixDraftRecord.props.package,
    repoOwner: RepoRecord.props.owner,
    repoName: RepoRecord.props.repo,
  },
  ({ repoId, advisoryId, package: packageName, repoOwner, repoName, ...pullRequest }) => ({
    pullRequest,
    draft: { repoId, advisoryId, package: packageName },
    repo: { owner: repoOwner, repo: repoName },
  }),
);

/** The columns of a repository's last scan, which is an object inside of it. */
export const scanColumns = columnsOf(ScanRecord.props);

export const repos: StoredRows<RepoDetails> = storedRows(
  'repo with what is derived for it',
  {
    ...RepoRecord.props,
    lastScan: nullable(ScanRecord),
    openPrCount: Count,
    openFixDraftId: nullable(Identifier),
    openAdvisoryCount: Count,
  },
  ({ lastScan, openPrCount, openFixDraftId, openAdvisoryCount, ...repo }) => ({
    repo,
    lastScan,
    openPrCount,
    openFixDraftId,
    openAdvisoryCount,
  }),
);

/** Decodes a result, because other programs write to the database, too. `where` names it in errors. */
export const decodeResult =
  <A, O>(codec: t.Type<A, O>, where: string) =>
  (result: unknown): E.Either<StorageError, A> =>
    E.mapLeft(
      (errors: t.Errors): StorageError => ({ _tag: 'RecordBroken', where, problems: problemsOf(errors) }),
    )(codec.decode(result));

/** Runs a statement and decodes its rows; the name of their codec names them in errors. */
export const rowsOf = async <A>(
  database: Database,
  codec: t.Type<A, unknown>,
  text: string,
  ...values: Statement['values']
): Outcome<readonly A[]> =>
  pipe(await database.query({ text, values }), E.flatMap(decodeResult(listOf(codec), codec.name)));

/** Calls a function of the schema, and decodes its result: a value, or a record whose keys are columns. */
export const call = async <A>(
  database: Database,
  codec: t.Type<A, unknown>,
  name: string,
  ...values: Statement['values']
): Outcome<A> => {
  const text = `SELECT to_json(triage.${name}(${values.map((_, i) => `$${i + 1}`).join(', ')})) AS result`;
  return pipe(
    await rowsOf(database, t.strict({ result: t.unknown }, name), text, ...values),
    E.flatMap(([row]) => decodeResult(codec, name)(fromColumns(codec, row?.result))),
  );
};
