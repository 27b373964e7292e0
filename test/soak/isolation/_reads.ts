import { isLost, jsonOf, type Reply } from '../core/_connection.js';
import type { Random } from '../core/_random.js';
import { headerOf } from '../core/_response-reader.js';
import { marksIn } from '../core/_tenants.js';
import { type Credential, standingOf, standingOver } from './_credentials.js';
import { anyTenant, countIn, type Operation, type Tenant, type World } from './_world.js';

const both = (random: Random): string =>
  random.pick([
    '/api/v1/prs?limit=5',
    '/api/v1/prs?status=open&page=2&limit=3',
    '/api/v1/prs?repoId=repo-3',
    `/api/v1/findings/draft-${random.below(12)}`,
  ]);

const onlySession = (random: Random): string =>
  random.pick([
    '/api/v1/repos',
    '/api/v1/findings',
    '/api/v1/findings?repoId=repo-2',
    '/docs',
    '/settings/api-tokens',
  ]);

const versionsIn = (text: string): readonly number[] =>
  Array.from(text.matchAll(/"package ~\w+~ v(\d+)"/g), ([, digits]) => Number(digits));

/** Checks that nothing of another tenant is in a body. */
const checkBody = (world: World, tenant: Tenant, path: string, text: string, version: number): void => {
  const foreign = [...marksIn(text)].filter((mark) => !tenant.marks.has(mark));
  const shown = `${path} as ${tenant.name}: ${text.slice(0, 500)}`;
  if (foreign.length > 0) world.failures.add('data of another tenant', `${foreign.join(', ')}: ${shown}`);
  const old = versionsIn(text).filter((each) => each < version);
  if (old.length > 0)
    world.failures.add('data as it was before a change', `version ${old[0]}, not ${version}: ${shown}`);
  if (!tenant.isSignedUp || !path.startsWith('/api/v1/')) return;
  for (const [, id = ''] of text.matchAll(/"id":"([^"]+)"/g)) {
    const owner = world.owners.get(id) ?? tenant.name;
    world.owners.set(id, owner);
    if (owner !== tenant.name) world.failures.add('a row of another tenant', `it is of ${owner}: ${shown}`);
  }
};

const describe = ({ kind, value, tenant, state }: Credential): string =>
  `${state} ${kind} ${value} of ${tenant}`;

/** Judges an answer by what is known of the credential that decides. */
const judge = (
  world: World,
  tenant: Tenant,
  {
    path,
    decides,
    before,
    version,
  }: Readonly<{ path: string; decides: Credential; before: ReturnType<typeof standingOf>; version: number }>,
  reply: Reply,
): void => {
  const { failures } = world;
  if (isLost(reply)) {
    failures.add('a lost request', `${path}: ${reply.lost}`);
    return;
  }
  const standing = standingOver(decides, before, Date.now());
  const { status } = reply;
  // This page greets whoever is signed in, and is shown to everybody.
  const isOpen = path === '/docs';
  const detail = `${path} with the ${describe(decides)}: ${reply.head.slice(0, 300)}`;
  if (status !== 200 && status !== 304 && status !== 401 && status !== 404) {
    failures.add(`status ${status}`, detail);
    return;
  }
  if (!isOpen && standing === 'dead' && status !== 401) failures.add('a dead credential works', detail);
  if (!isOpen && standing === 'live' && status === 401) failures.add('a live credential is refused', detail);
  const isForeignId = path.startsWith('/api/v1/findings/') && tenant.isSignedUp;
  if (status === 404 && !isForeignId) failures.add('a row is missing', detail);
  const text = reply.body.toString('utf8');
  if (isOpen && standing === 'dead' && marksIn(text).has(tenant.name)) {
    failures.add('a dead credential works', detail);
  }
  checkBody(world, tenant, path, text, version);
};

/** Reads something with one credential of a tenant, in whatever state it is. */
export const read: Operation = async (world, client, random) => {
  const tenant = anyTenant(world, random);
  const decides = random.oneOf(tenant.credentials);
  if (decides === undefined) return;
  countIn(world, 'reads');
  const path = decides.kind === 'session' && random.chance(0.6) ? onlySession(random) : both(random);
  const key = `${tenant.name} ${path}`;
  // Its own tag may be answered 304; that of another tenant may not.
  const other = random.chance(0.2) ? anyTenant(world, random) : null;
  const tag =
    other !== null
      ? world.tags.get(`${other.name} ${path}`)
      : random.chance(0.3)
        ? world.tags.get(key)
        : undefined;
  const before = standingOf(decides, Date.now());
  const { version } = tenant;
  const reply = await client.ask({
    path,
    session: decides.kind === 'session' ? decides.value : null,
    token: decides.kind === 'token' ? decides.value : null,
    ...(tag === undefined ? {} : { headers: { 'If-None-Match': tag } }),
  });
  judge(world, tenant, { path, decides, before, version }, reply);
  if (isLost(reply)) return;
  const hasRows = !tenant.isSignedUp && (other === null || !other.isSignedUp);
  if (reply.status === 304 && other !== null && other !== tenant && hasRows && !path.includes('page=')) {
    world.failures.add('the entity tag of another tenant was accepted', `${path} as ${tenant.name}`);
  }
  const seen = headerOf(reply, 'etag');
  if (reply.status === 200 && seen !== undefined && path.startsWith('/api/')) world.tags.set(key, seen);
};

/** Reads with a session of one tenant and a token of another: a valid token decides, else the session. */
export const readWithBoth: Operation = async (world, client, random) => {
  const [first, second] = [anyTenant(world, random), anyTenant(world, random)];
  const session = random.oneOf(first.credentials.filter(({ kind }) => kind === 'session'));
  const token = random.oneOf(second.credentials.filter(({ kind }) => kind === 'token'));
  if (session === undefined || token === undefined) return;
  countIn(world, 'reads with two credentials');
  const path = random.chance(0.7) ? both(random) : '/api/v1/repos';
  const readsToken = !path.startsWith('/api/v1/repos');
  const now = Date.now();
  const ofToken = standingOf(token, now);
  const before = standingOf(session, now);
  const versions = [first.version, second.version] as const;
  const reply = await client.ask({ path, session: session.value, token: token.value });
  const over = standingOver(token, ofToken, Date.now());
  if (readsToken && over === 'open') return;
  if (readsToken && over === 'live') {
    return judge(world, second, { path, decides: token, before: ofToken, version: versions[1] }, reply);
  }
  judge(world, first, { path, decides: session, before, version: versions[0] }, reply);
};

/** The tokens of a tenant, as JSON. */
export const listedTokens = (reply: Reply): readonly Readonly<Record<string, unknown>>[] => {
  const body = jsonOf(reply);
  return Array.isArray(body) ? body.map((each) => ({ ...Object(each) })) : [];
};
