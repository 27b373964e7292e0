import * as t from 'io-ts';
import { listOf } from '../../codecs/list.js';
import { nullable } from '../../codecs/nullable.js';
import { Integer } from '../../codecs/numbers.js';
import { Identifier, Text } from '../../codecs/text.js';
import type { PrStatus } from '../../contract/enums.js';
import type { Caller } from '../../records/caller.js';
import type { FixDraftDetails, PullRequestDetails, RepoDetails } from '../../records/details.js';
import { FixDraftRecord } from '../../records/fix-draft.js';
import { PullRequestRecord } from '../../records/pull-request.js';
import { RepoRecord } from '../../records/repo.js';
import { ScanRecord } from '../../records/scan.js';
import type { PresentedCredentials, Range, Slice } from '../port.js';
import type { Statement } from './database.js';

/**
 * A read of one tenant's data: a function of the schema (`migrations/0003_reading.sql` has the SQL), its
 * arguments after the caller's id, and the codec of its result.
 */
export type TenantQuery<A> = Readonly<{
  functionName: string;
  args: Statement['values'];
  result: t.Type<A, unknown>;
}>;

const RepoDetailsResult: t.Type<RepoDetails, unknown> = t.strict(
  {
    repo: RepoRecord,
    lastScan: nullable(ScanRecord),
    openPrCount: Integer,
    openFixDraftId: nullable(Identifier),
    openAdvisoryCount: Integer,
  },
  'repo details',
);

const FixDraftDetailsResult: t.Type<FixDraftDetails, unknown> = t.strict(
  { draft: FixDraftRecord, prCount: Integer },
  'fix draft details',
);

const PullRequestDetailsResult: t.Type<PullRequestDetails, unknown> = t.strict(
  { pullRequest: PullRequestRecord, draft: FixDraftRecord, repo: RepoRecord },
  'pull request details',
);

const sliceOf = <A>(row: t.Type<A, unknown>): t.Type<Slice<A>, unknown> =>
  t.strict({ total: Integer, rows: listOf(row) }, `slice of ${row.name}`);

const RepoList = listOf(RepoDetailsResult);
const NullableFixDraft = nullable(FixDraftDetailsResult);
const FixDraftSlice = sliceOf<FixDraftRecord>(FixDraftRecord);
const PullRequestSlice = sliceOf(PullRequestDetailsResult);

export const reposQuery: TenantQuery<readonly RepoDetails[]> = {
  functionName: 'list_repos',
  args: [],
  result: RepoList,
};

export const findingQuery = (id: string): TenantQuery<FixDraftDetails | null> => ({
  functionName: 'get_finding',
  args: [searchKey(id)],
  result: NullableFixDraft,
});

export const findingsQuery = ({
  repoId,
  offset,
  limit,
}: Range & Readonly<{ repoId: string | undefined }>): TenantQuery<Slice<FixDraftRecord>> => ({
  functionName: 'list_findings',
  args: [repoId === undefined ? null : searchKey(repoId), offset, limit],
  result: FixDraftSlice,
});

export const prsQuery = ({
  repoId,
  status,
  offset,
  limit,
}: Range & Readonly<{ repoId: string | undefined; status: PrStatus | undefined }>): TenantQuery<
  Slice<PullRequestDetails>
> => ({
  functionName: 'list_prs',
  args: [repoId === undefined ? null : searchKey(repoId), status ?? null, offset, limit],
  result: PullRequestSlice,
});

/**
 * A text from a request, as a parameter of a query. PostgreSQL refuses text with U+0000, so nothing stored
 * contains it; such text is replaced by the empty string, which is no stored key either.
 */
export const searchKey = (text: string): string => (Text.is(text) ? text : '');

const callerOf = 'triage.caller_of($1, $2, $3)';

const credentialArgs = ({ session, apiToken, at }: PresentedCredentials): Statement['values'] => [
  session,
  apiToken,
  at,
];

/**
 * Resolves credentials to a user, and says whether the use of the token must be recorded. No row: invalid
 * credentials.
 */
export const callerStatement = (credentials: PresentedCredentials): Statement => ({
  text: `SELECT user_id AS "userId", use_due AS "useDue" FROM ${callerOf}`,
  values: credentialArgs(credentials),
});

/** Runs a query for a known caller. */
export const tenantStatement = (
  { userId }: Caller,
  { functionName, args }: Omit<TenantQuery<unknown>, 'result'>,
): Statement => ({
  text: `SELECT triage.${functionName}($1${placeholders(2, args)}) AS result`,
  values: [userId, ...args],
});

/** Resolves credentials and runs a query in one statement. No row: invalid credentials. */
export const authenticatedStatement = (
  credentials: PresentedCredentials,
  { functionName, args }: Omit<TenantQuery<unknown>, 'result'>,
): Statement => ({
  text:
    `SELECT c.user_id AS "userId", c.use_due AS "useDue", triage.${functionName}(c.user_id${placeholders(4, args)}) AS result ` +
    `FROM ${callerOf} c`,
  values: [...credentialArgs(credentials), ...args],
});

/** `, $first, $first+1, …`: one placeholder for each argument. */
const placeholders = (first: number, args: readonly unknown[]): string =>
  args.map((_, i) => `, $${first + i}`).join('');
