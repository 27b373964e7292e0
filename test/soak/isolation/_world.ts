import type { Client } from '../core/_connection.js';
import type { Random } from '../core/_random.js';
import type { FailureList } from '../core/_run.js';
import type { Credential } from './_credentials.js';

/** A tenant as the model knows it. */
export type Tenant = {
  readonly name: string;
  readonly email: string;
  password: string;
  /** The tenants whose marks it may see: its own, and that of the rows that new accounts get. */
  readonly marks: ReadonlySet<string>;
  /** Whether it signed up: then its rows have ids of their own. */
  readonly isSignedUp: boolean;
  readonly credentials: Credential[];
  /** The version of its rows that is known to be in the storage. */
  version: number;
  /** Whether a request that affects all of its credentials is on its way. */
  isBusy: boolean;
  /** The number of other changes that are on their way. */
  pending: number;
};

/** What the operations of the isolation run share. */
export type World = Readonly<{
  tenants: Tenant[];
  /** Which tenant each row of a signed-up tenant belongs to. */
  owners: Map<string, string>;
  /** The entity tags that each tenant has seen for a path. */
  tags: Map<string, string>;
  failures: FailureList;
  /** Changes the rows of a tenant to a new version. `null` means that nobody knows when it is served. */
  patch: (tenant: Tenant, version: number) => Promise<boolean>;
  counts: Map<string, number>;
}>;

/** An operation: what a lane does next. */
export type Operation = (world: World, client: Client, random: Random) => Promise<void>;

export const countIn = ({ counts }: World, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

/** Changes something of a tenant, unless a request that affects all of its credentials is on its way. */
export const changing = async (tenant: Tenant, change: () => Promise<void>): Promise<void> => {
  if (tenant.isBusy) return;
  tenant.pending += 1;
  await change();
  tenant.pending -= 1;
};

/** Changes all credentials of a tenant, unless something else is being changed. `true` keeps others out. */
export const changingAll = async (tenant: Tenant, change: () => Promise<boolean>): Promise<void> => {
  if (tenant.isBusy || tenant.pending > 0) return;
  tenant.isBusy = true;
  tenant.isBusy = await change();
};

/** A random tenant; fixtures and sign-ups alike. */
export const anyTenant = ({ tenants }: World, random: Random): Tenant => {
  const tenant = random.oneOf(tenants);
  if (tenant === undefined) throw new Error('there is no tenant');
  return tenant;
};

/** A credential of a tenant that is live, of a kind. */
export const liveOf = (tenant: Tenant, kind: Credential['kind'], random: Random): Credential | undefined =>
  random.oneOf(
    tenant.credentials.filter(
      (each) => each.kind === kind && each.state === 'live' && each.expiresAt > Date.now() + 5000,
    ),
  );
