import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { clientOf } from '../core/_connection.js';
import { databaseWithFixtures } from '../core/_databases.js';
import { mebibytes } from '../core/_figures.js';
import type { Life } from '../core/_life.js';
import { randomOf } from '../core/_random.js';
import { failureList, inLanes, type Result, type RunContext, type SoakRun } from '../core/_run.js';
import { sample } from '../core/_sampler.js';
import { linesWith, startServerProcess, supported, temporaryDirectory } from '../core/_server-process.js';
import { emailOf, markOf, passwordOf, sessionsOf, tokensOf, writeFixture } from '../core/_tenants.js';
import * as changes from './_changes.js';
import { read, readWithBoth } from './_reads.js';
import type { Operation, Tenant, World } from './_world.js';

const lanes = 24;
const given = { sessions: 30, tokens: 10 };
const names = ['demo0', ...Array.from({ length: 20 }, (_, i) => `tenant${i + 1}`)];

/** How often each operation is chosen, in a hundred thousand. Hashing takes long, so logins are rare. */
const operations: readonly (readonly [weight: number, operation: Operation])[] = [
  [82_000, read],
  [8_000, readWithBoth],
  [3_500, changes.mint],
  [2_000, changes.mintShortLived],
  [3_000, changes.revoke],
  [500, changes.revokeForeign],
  [500, changes.logOut],
  [200, changes.logIn],
  [60, changes.signUp],
  [40, changes.patch],
  [20, changes.changePassword],
  [10, changes.deleteAccount],
];
const total = operations.reduce((sum, [weight]) => sum + weight, 0);

const chosen = (point: number): Operation => {
  let passed = 0;
  for (const [weight, operation] of operations) {
    passed += weight / total;
    if (point < passed) return operation;
  }
  return read;
};

const tenantOf = (name: string): Tenant => ({
  name,
  email: emailOf(name),
  password: passwordOf(name),
  marks: new Set([name]),
  isSignedUp: false,
  credentials: [
    ...sessionsOf(name, given.sessions).map((value) => ({ kind: 'session' as const, value, id: null })),
    ...tokensOf(name, given.tokens).map((value, i) => ({ kind: 'token' as const, value, id: `token-${i}` })),
  ].map((each) => ({ ...each, tenant: name, expiresAt: Number.POSITIVE_INFINITY, state: 'live' as const })),
  version: 1,
  isBusy: false,
  pending: 0,
});

/** Where tenants are stored: options of the server, and how to change the rows of one. */
type Stored = Readonly<{ words: readonly string[]; patch: World['patch'] }>;

const execute = async (
  { life, seed, amount, progress }: RunContext,
  open: (directory: string) => Promise<Stored>,
): Promise<Result> => {
  const directory = join(await temporaryDirectory(life), 'tenants');
  for (const name of names) {
    await writeFixture(directory, name, 1, given);
  }
  const { words, patch } = await open(directory);
  const server = await startServerProcess(life, [
    ...['--log-level', 'warn', '--max-signups', '1000000', '--signup-limit', '1000000'],
    ...['--login-limit', '1000000', '--login-address-limit', '1000000'],
    ...(await supported(['--mutable-demo'])),
    ...words,
  ]);
  const failures = failureList();
  const world: World = {
    tenants: names.map(tenantOf),
    owners: new Map(),
    tags: new Map(),
    failures,
    patch,
    counts: new Map(),
  };
  const requests = amount('requests');
  const sampler = sample(server.pid);
  let done = 0;
  await inLanes(lanes, async (lane) => {
    const random = randomOf(seed, lane);
    const client = clientOf(() => server.port);
    while (done < requests && !server.hasEnded()) {
      done += 1;
      await chosen(random.next())(world, client, random);
      progress(`${done} of ${requests} operations, ${failures.count()} failures`);
    }
    client.close();
  });
  sampler.stop();
  if (server.hasEnded()) failures.add('the server ended', await server.ended);
  for (const line of linesWith('error', await server.log()))
    failures.add('an error in the log', line.slice(0, 600));
  return {
    figures: [
      `seed ${seed}`,
      Array.from(world.counts, ([name, count]) => `${count} ${name}`).join(', '),
      `${names.length} tenants with the same ids`,
      `memory ${mebibytes(sampler.peak())} at most`,
    ],
    failures: failures.list().map((failure) => `--seed ${seed}: ${failure}`),
  };
};

export const isolationOnFixtures: SoakRun = {
  name: 'isolation-fixtures',
  about:
    'tenants with equal ids on fixtures: nothing of another one, no dead credential works, no live one fails',
  amounts: { requests: 200_000 },
  execute: (context) =>
    execute(context, async (directory) => ({
      words: ['--fixtures', directory],
      patch: async ({ name }, version) => {
        await writeFixture(directory, name, version, given);
        // The server reads it when it notices.
        return false;
      },
    })),
};

/** Changes the marked texts of a tenant, as a program that writes rows would. */
const patchInDatabase = async (life: Life, url: string): Promise<World['patch']> => {
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  pool.on('error', () => {});
  life.teardown(() => pool.end());
  return async ({ name }, version) => {
    const text = `package ${markOf(name)} v${version}`;
    await pool.query('UPDATE triage.fix_drafts SET package = $2 WHERE user_id = $1', [`user-${name}`, text]);
    return true;
  };
};

export const isolationOnPostgres: SoakRun = {
  name: 'isolation-postgres',
  about: 'the same on PostgreSQL; a change of rows is seen by the next request',
  amounts: { requests: 200_000 },
  execute: (context) =>
    execute(context, async (directory) => {
      const { url } = await databaseWithFixtures(context.life, directory);
      // The server has all of it now.
      await rm(directory, { recursive: true });
      return {
        words: ['--database-url', url, '--database-timeout', '60000'],
        patch: await patchInDatabase(context.life, url),
      };
    }),
};
