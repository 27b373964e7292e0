import { Text } from '../../codecs/text.js';
import type { PrStatus } from '../../contract/enums.js';
import type { Caller } from '../../records/caller.js';
import type { FixDraftDetails, PullRequestDetails, RepoDetails } from '../../records/details.js';
import type { FixDraftRecord } from '../../records/fix-draft.js';
import type { PresentedCredentials, Range } from '../port.js';
import type { Statement } from './database.js';
import {
  decodeFixDraftDetails,
  decodeFixDrafts,
  decodePullRequests,
  decodeRepos,
  type RowsDecoder,
} from './stored-codecs.js';

/** The functions of the schema that read one tenant's data. */
export type ReadFunction = 'read_repos' | 'read_findings' | 'read_finding' | 'read_prs';

/**
 * A read of one tenant's data: a function of the schema (`migrations/0006_reading.sql` has the SQL), its
 * arguments after those that say who asks and what is known, and what decodes its rows.
 */
export type TenantQuery<Row> = Readonly<{
  functionName: ReadFunction;
  args: Statement['values'];
  decodeRows: RowsDecoder<Row>;
}>;

/** The maximum number of repositories per row of the result: one row is decoded without a pause. */
const reposPerRow = 200;

export const reposQuery: TenantQuery<RepoDetails> = {
  functionName: 'read_repos',
  args: [reposPerRow],
  decodeRows: decodeRepos,
};

export const findingQuery = (id: string): TenantQuery<FixDraftDetails> => ({
  functionName: 'read_finding',
  args: [searchKey(id)],
  decodeRows: decodeFixDraftDetails,
});

export const findingsQuery = ({
  repoId,
  offset,
  limit,
}: Range & Readonly<{ repoId: string | undefined }>): TenantQuery<FixDraftRecord> => ({
  functionName: 'read_findings',
  args: [repoId === undefined ? null : searchKey(repoId), offset, limit],
  decodeRows: decodeFixDrafts,
});

export const prsQuery = ({
  repoId,
  status,
  offset,
  limit,
}: Range &
  Readonly<{
    repoId: string | undefined;
    status: PrStatus | undefined;
  }>): TenantQuery<PullRequestDetails> => ({
  functionName: 'read_prs',
  args: [repoId === undefined ? null : searchKey(repoId), status ?? null, offset, limit],
  decodeRows: decodePullRequests,
});

/**
 * A text from a request, as a parameter of a query. PostgreSQL refuses text with U+0000, so nothing stored
 * contains it; such text is replaced by the empty string, which is no stored key either.
 */
export const searchKey = (text: string): string => (Text.is(text) ? text : '');

/**
 * Resolves credentials to a user, and says whether the use of the token must be recorded. No row: invalid
 * credentials.
 */
export const callerStatement = ({ session, apiToken, at }: PresentedCredentials): Statement => ({
  text: 'SELECT user_id AS "userId", use_due AS "useDue" FROM triage.caller_of($1, $2, $3)',
  values: [session, apiToken, at],
});

/** Who asks: a known caller, or credentials that the query resolves as well. */
export type Asking = Caller | PresentedCredentials;

/**
 * Runs a query. `known` is the version of the result that the program has; without a change since, the rows
 * are left out. No user: invalid credentials.
 */
export const readStatement = (
  asking: Asking,
  known: string | null,
  { functionName, args }: Pick<TenantQuery<unknown>, 'functionName' | 'args'>,
): Statement => ({
  name: functionName,
  text: readTexts[functionName],
  values:
    'userId' in asking
      ? [asking.userId, null, null, null, known, ...args]
      : [null, asking.session, asking.apiToken, asking.at, known, ...args],
});

/** The statement that calls a function with this number of arguments. */
const readText = (functionName: ReadFunction, count: number): string =>
  `SELECT caller AS "userId", use_due AS "useDue", total, version, rows::text AS rows ` +
  `FROM triage.${functionName}(${Array.from({ length: count }, (_, i) => `$${i + 1}`).join(', ')})`;

const readTexts: Readonly<Record<ReadFunction, string>> = {
  read_repos: readText('read_repos', 6),
  read_findings: readText('read_findings', 8),
  read_finding: readText('read_finding', 6),
  read_prs: readText('read_prs', 9),
};
