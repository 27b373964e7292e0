import { millisecondsOf, timestampAt } from '../../contract/codecs/timestamp.js';
import type { ApiTokenSeed, SessionSeed, UserSeed } from '../../records/account-records.js';
import { tenantNames } from './names.js';
import { randomFor } from './random.js';
import type { TenantSpec } from './tenant-spec.js';

/** The user of a tenant and what signs this user in. */
export type Account = Readonly<{ user: UserSeed; session: SessionSeed; apiToken: ApiTokenSeed }>;

/**
 * The name of a tenant, such as `realistic-7-1`. It is part of everything that has to be unique across
 * tenants, so that tenants of several distributions and seeds can be served together.
 */
export const tenantName = ({ distribution, seed, tenant }: TenantSpec): string =>
  `${distribution}-${seed}-${tenant}`;

const day = 24 * 60 * 60 * 1000;

/** The session and the API token are valid at `asOf`; the session for a year. */
export const accountOf = (spec: TenantSpec): Account => {
  const name = tenantName(spec);
  const { person } = tenantNames(randomFor(spec.seed, spec.tenant, 'tenant'));
  const asOf = millisecondsOf(spec.asOf);
  const createdAt = timestampAt(asOf - day);
  const isEdge = spec.distribution === 'edge';
  return {
    user: {
      id: `usr_${name}`,
      email: `user@${name}.test`,
      name: isEdge ? 'Ægir Þórðarson-O’Brien "<b>" 名前' : person,
      password: `${name}-password`,
    },
    session: {
      id: 'ses_1',
      value: `${name}-session`,
      createdAt,
      expiresAt: timestampAt(asOf + 365 * day),
    },
    apiToken: {
      id: 'tok_1',
      name: isEdge ? '名前 "quoted" <b>token</b>' : 'Generated token',
      token: `${name}-token`,
      createdAt,
      expiresAt: null,
      revokedAt: null,
    },
  };
};
