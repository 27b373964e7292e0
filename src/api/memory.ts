import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { onceFor } from '../common/lru.js';
import { decode, formatProblem } from '../contract/codecs/problem.js';
import { Timestamp } from '../contract/codecs/timestamp.js';
import { type Caller, hashSecret, resolveCaller } from './credentials.js';
import { TenantRows } from './row-records.js';
import type {
  CallerStorage,
  PresentedCredentials,
  ReadResult,
  TriageStorage,
  Version,
} from './storage-port.js';
import { type TenantIndex, tenantIndex } from './tenant-index.js';

/**
 * The reads of tenants in memory. `callerOf`: whose credentials are; null: nobody's. `indexOf`: the rows of a
 * user; undefined: there are none. Other rows have another index.
 */
export const memoryReads = (
  callerOf: (credentials: PresentedCredentials) => Caller | null,
  indexOf: (userId: string) => TenantIndex | undefined,
): TriageStorage => {
  let versions = 0;
  const versionOf = onceFor((_: TenantIndex): Version => String(++versions));
  const read = async <Rows>(
    credentials: PresentedCredentials,
    knownVersion: Version | undefined,
    rowsOf: (index: TenantIndex) => Rows,
    none: Rows,
  ): ReadResult<Rows> => {
    const resolved = callerOf(credentials);
    if (resolved === null) return E.left({ _tag: 'Unauthorized' });
    const caller = { userId: resolved.userId };
    const index = indexOf(caller.userId);
    if (index === undefined) return E.right({ caller, version: null, rows: none });
    const version = versionOf(index);
    if (version === knownVersion) return E.right({ caller, unchanged: true });
    return E.right({ caller, version, rows: rowsOf(index) });
  };
  return {
    repos: (credentials, version) => read(credentials, version, ({ repos }) => repos, []),
    findings: (credentials, query, version) =>
      read(credentials, version, ({ findings }) => findings(query), nothing),
    finding: (credentials, id, version) => read(credentials, version, ({ finding }) => finding(id), null),
    prs: (credentials, query, version) => read(credentials, version, ({ prs }) => prs(query), nothing),
  };
};

const nothing = { rows: [], total: 0 };

/** A tenant, its rows, and its credentials in clear text with the moments until which they are valid. */
type MemoryTenant = Readonly<{
  userId: string;
  sessions: Readonly<Record<string, string>>;
  tokens: Readonly<Record<string, string>>;
}> &
  Partial<Readonly<Record<keyof TenantRows, readonly object[]>>>;

const MemoryTenant = t.strict({
  userId: t.string,
  sessions: t.record(t.string, Timestamp, 'object of session values and timestamps'),
  tokens: t.record(t.string, Timestamp, 'object of tokens and timestamps'),
  ...TenantRows.type.props,
});
const MemoryTenants = t.readonlyArray(MemoryTenant, 'list of tenants');

/** A storage of tenants that never change. Throws a `TypeError` that lists the problems of invalid ones. */
export const memory = (tenants: readonly MemoryTenant[]): CallerStorage & TriageStorage => {
  const decoded = decode(MemoryTenants, tenants);
  if (E.isLeft(decoded)) throw new TypeError(decoded.left.map(formatProblem).join('\n'));
  const valid = decoded.right;
  const indexes = new Map(valid.map((tenant) => [tenant.userId, tenantIndex(tenant)]));
  const byHash = (key: 'sessions' | 'tokens') =>
    new Map(
      valid.flatMap(({ userId, ...tenant }) =>
        Object.entries(tenant[key]).map(([secret, expiresAt]) => [
          hashSecret(secret),
          { userId, expiresAt, revokedAt: null },
        ]),
      ),
    );
  const [sessions, tokens] = [byHash('sessions'), byHash('tokens')];
  const callerOf = ({ session, apiToken, at }: PresentedCredentials) =>
    resolveCaller((session && sessions.get(session)) ?? null, (apiToken && tokens.get(apiToken)) ?? null, at);
  return {
    caller: async (credentials) => E.fromNullable({ _tag: 'Unauthorized' } as const)(callerOf(credentials)),
    ...memoryReads(callerOf, (userId) => indexes.get(userId)),
  };
};
