import * as E from '#fp-ts/Either';
import type { FixtureData } from '../completion/fixture-data.js';
import type { LiveFixtures } from '../live-fixtures/live-fixtures.js';
import { jsonCopy } from '../simulation/json-copy.js';
import { decodeNewTenant } from '../simulation/on-demand-tenant.js';
import { linesAbout } from './or-throw.js';
import type { Tenant } from './tenant.js';
import { TriageApiError } from './triage-api-error.js';

/** How many more tenants are remembered before those that have ended are forgotten. */
const step = 1000;

/** What `createTenant` makes, all of it optional. */
export type TenantOptions = Readonly<{
  /** The tenant to copy, by its name or user id. Default: `demo`, or else the first one. */
  from?: string;
  /**
   * The content of a fixture file to use instead; what is missing in it is completed. Its user, sessions and
   * tokens are replaced.
   */
  fixture?: FixtureData;
  /** Whether the rows keep their ids (the default) or get new ones. */
  ids?: 'same' | 'fresh';
  /** After how long the tenant ends by the clock of the server, such as `1h`. Default: when it is removed. */
  ttl?: string;
}>;

/** A tenant that was made on demand. Its name is the id of its user; its credentials last as long as it. */
export type CreatedTenant = Tenant &
  Readonly<{
    user: Readonly<{ id: string; email: string; name: string }>;
    /** The password for `/login`. */
    password: string;
    /** When it ends; null: when it is removed. */
    expiresAt: string | null;
  }>;

export type OnDemandControls = Readonly<{
  /** Makes a tenant that nobody else uses. Rejects with a `TriageApiError`. */
  createTenant: (options?: TenantOptions) => Promise<CreatedTenant>;
  /** Ends a tenant that was made on demand; false if there is none with this name. */
  removeTenant: (name: string) => Promise<boolean>;
  /** The tenant with this name, if it was made on demand and has not ended. */
  find: (name: string) => Tenant | undefined;
}>;

export const onDemandControls = (live: LiveFixtures | null, assertRunning: () => void): OnDemandControls => {
  const made = new Map<string, CreatedTenant>();
  let many = step;
  const tenants = (): LiveFixtures['tenants'] => {
    assertRunning();
    if (live === null) throw new TriageApiError(['this server cannot be changed']);
    return live.tenants;
  };
  /** The server ends tenants by itself, too. */
  const forgetEnded = (): void => {
    const ids = new Set(live?.tenants.list().map(({ id }) => id));
    for (const name of made.keys()) if (!ids.has(name)) made.delete(name);
  };
  return {
    createTenant: async (options = {}) => {
      const copy = jsonCopy(options);
      if (E.isLeft(copy)) throw new TriageApiError([`createTenant: ${copy.left}`]);
      const wanted = decodeNewTenant(copy.right, null);
      if (E.isLeft(wanted)) throw new TriageApiError(linesAbout('createTenant', wanted.left));
      const created = await tenants().create(wanted.right);
      if (E.isLeft(created)) {
        const { left } = created;
        throw new TriageApiError(
          left._tag === 'UnknownTenant'
            ? [`createTenant /from: expected one of ${left.known.join(', ')}`]
            : linesAbout('createTenant', left.problems),
        );
      }
      const { id, user, session, token, password, expiresAt } = created.right;
      const tenant: CreatedTenant = { name: id, user, session, token, password, expiresAt };
      if (made.size >= many) {
        forgetEnded();
        many = 2 * made.size + step;
      }
      made.set(id, tenant);
      return tenant;
    },
    removeTenant: async (name) => tenants().remove(name),
    find: (name) => {
      forgetEnded();
      return made.get(name);
    },
  };
};
