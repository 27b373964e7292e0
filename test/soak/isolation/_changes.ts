import { type Client, isLost, jsonOf, type Reply, statusOf } from '../core/_connection.js';
import { headerOf } from '../core/_response-reader.js';
import { markOf } from '../core/_tenants.js';
import type { Credential } from './_credentials.js';
import {
  anyTenant,
  changing,
  changingAll,
  countIn,
  liveOf,
  type Operation,
  type Tenant,
  type World,
} from './_world.js';

const forever = Number.POSITIVE_INFINITY;

/** The session that an answer sets. */
const sessionIn = (reply: Reply): string | null =>
  isLost(reply) ? null : (/^session=([^;]+)/.exec(headerOf(reply, 'set-cookie') ?? '')?.[1] ?? null);

const unexpected = ({ failures }: World, what: string, reply: Reply): void =>
  failures.add(
    `${what} answered ${statusOf(reply)}`,
    isLost(reply) ? reply.lost : `${reply.head.slice(0, 200)} ${reply.body.toString('utf8', 0, 200)}`,
  );

const isDone = (status: number): boolean => [200, 204, 303].includes(status);

/** What a busy server may say to those who log in or sign up; and to whoever has too many tokens. */
const isPutOff = (status: number): boolean => status === 503 || status === 429 || status === 409;

const mintAs =
  (lifetime: number | null): Operation =>
  async (world, client, random) => {
    const tenant = anyTenant(world, random);
    const session = liveOf(tenant, 'session', random);
    // A tenant may have fifty valid tokens.
    const valid = tenant.credentials.filter(({ kind, state }) => kind === 'token' && state === 'live').length;
    if (session === undefined || valid > 40) return;
    await changing(tenant, () =>
      mintWith(world, client, tenant, session, lifetime === null ? null : lifetime + random.below(lifetime)),
    );
  };

const mintWith = async (
  world: World,
  client: Client,
  tenant: Tenant,
  session: Credential,
  lifetime: number | null,
): Promise<void> => {
  countIn(world, 'mints');
  const expiresAt = lifetime === null ? forever : Date.now() + lifetime;
  const reply = await client.ask({
    method: 'POST',
    path: '/settings/api-tokens',
    session: session.value,
    json: {
      name: `Token ${markOf(tenant.name)}`,
      ...(lifetime === null ? {} : { expiresAt: new Date(expiresAt).toISOString() }),
    },
  });
  const { id, token } = Object(jsonOf(reply));
  if (statusOf(reply) === 201 && typeof id === 'string' && typeof token === 'string') {
    tenant.credentials.push({
      kind: 'token',
      value: token,
      tenant: tenant.name,
      id,
      expiresAt,
      state: 'live',
    });
  } else if (session.state === 'live' && !isPutOff(statusOf(reply)) && Date.now() < expiresAt) {
    // What has expired before it arrived was refused for that.
    unexpected(world, 'minting', reply);
  }
};

/** Mints a token that is valid until revoked. */
export const mint = mintAs(null);

/** Mints a token that expires within seconds. */
export const mintShortLived = mintAs(1500);

/** Ends one credential by a request, and marks it: dead once that was acknowledged. */
const ending = async (credential: Credential, send: () => Promise<Reply>, world: World): Promise<void> => {
  credential.state = 'ending';
  const reply = await send();
  if (isDone(statusOf(reply))) credential.state = 'dead';
  else unexpected(world, 'ending a credential', reply);
};

/** Revokes a token of its owner. */
export const revoke: Operation = async (world, client, random) => {
  const tenant = anyTenant(world, random);
  const session = liveOf(tenant, 'session', random);
  const token = liveOf(tenant, 'token', random);
  if (session === undefined || token === undefined) return;
  await changing(tenant, async () => {
    countIn(world, 'revocations');
    const path = `/settings/api-tokens/${token.id}/revoke`;
    // The session must not end meanwhile, or the answer would be 401.
    session.state = 'ending';
    await ending(token, () => client.ask({ method: 'POST', path, session: session.value }), world);
    session.state = 'live';
  });
};

/** Tries to revoke a token with the session of another tenant: it must stay valid. */
export const revokeForeign: Operation = async (world, client, random) => {
  const [mine, theirs] = [anyTenant(world, random), anyTenant(world, random)];
  const session = liveOf(mine, 'session', random);
  const token = liveOf(theirs, 'token', random);
  // Tokens of fixtures have the same ids everywhere: there, it would hit one's own.
  if (session === undefined || token?.id == null || token.id.startsWith('token-') || mine === theirs) return;
  countIn(world, 'attempts to revoke tokens of others');
  const path = `/settings/api-tokens/${token.id}/revoke`;
  const reply = await client.ask({ method: 'POST', path, session: session.value });
  if (session.state === 'live' && statusOf(reply) !== 404)
    unexpected(world, 'revoking a token of another', reply);
};

/** Ends a session; each tenant keeps one to go on with. */
export const logOut: Operation = async (world, client, random) => {
  const tenant = anyTenant(world, random);
  const sessions = tenant.credentials.filter(({ kind, state }) => kind === 'session' && state === 'live');
  const session = random.oneOf(sessions);
  if (session === undefined || sessions.length < 2) return;
  await changing(tenant, () => {
    countIn(world, 'logouts');
    return ending(
      session,
      () => client.ask({ method: 'POST', path: '/logout', session: session.value }),
      world,
    );
  });
};

/** Logs in again; the session that is sent along ends. */
export const logIn: Operation = async (world, client, random) => {
  const tenant = anyTenant(world, random);
  const old = random.chance(0.3) ? liveOf(tenant, 'session', random) : undefined;
  await changing(tenant, async () => {
    countIn(world, 'logins');
    if (old !== undefined) old.state = 'ending';
    const { email, password } = tenant;
    const reply = await client.ask({
      ...{ method: 'POST', path: '/login', json: { email, password } },
      session: old?.value ?? null,
    });
    const value = sessionIn(reply);
    if (statusOf(reply) === 200 && value !== null) {
      if (old !== undefined) old.state = 'dead';
      addSession(tenant, value);
    } else {
      if (old !== undefined) old.state = 'live';
      if (!isPutOff(statusOf(reply))) unexpected(world, 'logging in', reply);
    }
  });
};

const addSession = (tenant: Tenant, value: string): void => {
  tenant.credentials.push({
    kind: 'session',
    value,
    tenant: tenant.name,
    id: null,
    expiresAt: forever,
    state: 'live',
  });
};

/** Signs up as somebody new. */
export const signUp: Operation = async (world, client) => {
  countIn(world, 'sign-ups');
  const name = `signed${world.counts.get('sign-ups')}`;
  // A password may not contain the name or the address.
  const [email, password] = [`${name}@soak.test`, `harbour lantern ${1000 + world.tenants.length}`];
  const reply = await client.ask({
    ...{ method: 'POST', path: '/signup' },
    json: { email, password, name: `Name ${markOf(name)}` },
  });
  const value = sessionIn(reply);
  if (statusOf(reply) !== 200 || value === null) {
    if (!isPutOff(statusOf(reply))) unexpected(world, 'signing up', reply);
    return;
  }
  const marks = new Set([name, 'demo0']);
  const tenant: Tenant = {
    name,
    email,
    password,
    marks,
    isSignedUp: true,
    credentials: [],
    version: 0,
    isBusy: false,
    pending: 0,
  };
  addSession(tenant, value);
  world.tenants.push(tenant);
};

/** Changes the rows of a tenant. */
export const patch: Operation = async (world, _, random) => {
  const tenant = anyTenant(world, random);
  if (tenant.isSignedUp) return;
  await changingAll(tenant, async () => {
    countIn(world, 'patches');
    const next = (world.counts.get('patches') ?? 0) + 1;
    if (await world.patch(tenant, next)) tenant.version = next;
    return false;
  });
};

/** Changes a password: all other sessions end. Not every version of the server has it. */
export const changePassword: Operation = async (world, client, random) => {
  const tenant = anyTenant(world, random);
  const session = liveOf(tenant, 'session', random);
  if (!tenant.isSignedUp || session === undefined) return;
  await changingAll(tenant, async () => {
    // The session that asks ends as well: a new one takes its place.
    const sessions = tenant.credentials.filter((each) => each.kind === 'session' && each.state === 'live');
    for (const each of sessions) each.state = 'ending';
    const newPassword = `lantern harbour ${random.text('abcdefghijklmnop', 12)}`;
    const reply = await client.ask({
      ...{ method: 'POST', path: '/settings/account/password', session: session.value },
      json: { currentPassword: tenant.password, newPassword },
    });
    const status = statusOf(reply);
    const isChanged = isDone(status);
    for (const each of sessions) each.state = isChanged ? 'dead' : 'live';
    if (!isChanged) {
      if (status !== 404 && !isPutOff(status)) unexpected(world, 'changing a password', reply);
      return false;
    }
    countIn(world, 'password changes');
    tenant.password = newPassword;
    const renewed = sessionIn(reply);
    if (renewed === null) unexpected(world, 'a password change without a new session', reply);
    else addSession(tenant, renewed);
    return false;
  });
};

/** Deletes an account: all of its credentials end. Not every version of the server has it. */
export const deleteAccount: Operation = async (world, client, random) => {
  const tenant = anyTenant(world, random);
  const session = liveOf(tenant, 'session', random);
  if (!tenant.isSignedUp || session === undefined) return;
  await changingAll(tenant, async () => {
    const live = tenant.credentials.filter(({ state }) => state === 'live');
    for (const each of live) each.state = 'ending';
    const reply = await client.ask({
      ...{ method: 'POST', path: '/settings/account/delete', session: session.value },
      json: { password: tenant.password },
    });
    const status = statusOf(reply);
    const isDeleted = isDone(status);
    for (const each of live) each.state = isDeleted ? 'dead' : 'live';
    if (isDeleted) countIn(world, 'deleted accounts');
    else if (status !== 404 && !isPutOff(status)) unexpected(world, 'deleting an account', reply);
    // Nothing but reads is done with one that is deleted.
    return isDeleted;
  });
};
