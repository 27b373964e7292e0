import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { type Random, randomFor } from '../../src/generator/random.js';
import { connected } from '../storage/postgres/_postgres.js';
import {
  allQuestions,
  aQuestion,
  inconsistency,
  mistake,
  type Question,
  type Stored,
  stored,
} from './_compare.js';
import { type Tenant, tenants } from './_statements.js';

type Kept = Map<string, Readonly<{ etag: string; body: unknown }>>;
type Answer = Readonly<{ status: number; body: unknown }>;

/** Sends a request with the ETag of what any server has sent before; gives the body that the client has then. */
const ask = async (kept: Kept, url: string, path: string, tenant: Tenant): Promise<Answer> => {
  const key = `${tenant} ${path}`;
  const known = kept.get(key);
  const condition = known === undefined ? {} : { 'If-None-Match': known.etag };
  const response = await fetch(url + path, {
    headers: { Cookie: `session=session-of-${tenant}`, ...condition },
  });
  const text = await response.text();
  if (response.status === 304 && known !== undefined) return { status: 200, body: known.body };
  const body: unknown = JSON.parse(text);
  const etag = response.headers.get('etag');
  if (response.status === 200 && etag !== null) kept.set(key, { etag, body });
  return { status: response.status, body };
};

/** What reads from the servers: comparisons in between, and readers beside the writers. */
export const readersOf = (
  urls: readonly string[],
  seed: number,
  exclusion: () => Readonly<{ areExcluded: boolean; exclusions: number }>,
) => {
  const kept: Kept = new Map();
  /** Whether a connection of the servers was ended since everything was compared: they may answer 503. */
  let isDisturbed = false;
  let isOver = false;
  let answers = 0;
  let unavailable = 0;

  /** Asks again while the server has connections that it does not know to be lost. */
  const askReady = async (url: string, path: string, tenant: Tenant): Promise<Answer> => {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await ask(kept, url, path, tenant);
      answers += 1;
      if (answer.status !== 503 || !isDisturbed || attempt === 100) return answer;
      await setTimeout(100);
    }
  };

  /** Compares responses of all servers with the rows; rejects with the first difference. */
  const compare = async (
    admin: pg.Client,
    tenant: Tenant,
    questionsOf: (rows: Stored[Tenant]) => readonly Question[],
  ): Promise<void> => {
    for (;;) {
      const before = await stored(admin);
      const rows = before[tenant];
      const questions = questionsOf(rows).map(({ path, expected }) => [path, expected(rows)] as const);
      const wrong: string[] = [];
      const askAll = async (url: string): Promise<void> => {
        for (const [path, right] of questions) {
          const { status, body } = await askReady(url, path, tenant);
          const difference = mistake(right, status, body);
          if (difference !== null) wrong.push(`${url}${path} of ${tenant}: ${difference}`);
        }
      };
      await Promise.all(urls.map(askAll));
      if (wrong.length === 0) return;
      // A statement that waited for a lock until a timeout may have been committed meanwhile.
      if (isDeepStrictEqual(await stored(admin), before)) throw new Error(wrong.slice(0, 3).join('\n'));
    }
  };

  const readBeside = async (url: string, index: number): Promise<void> => {
    for (let count = 0; !isOver; count += 1) {
      const random = randomFor(seed, 1000 + index, 'tenant', count);
      const tenant = random.pick(tenants);
      const { path } = aQuestion(random);
      const mayFail = isDisturbed;
      const { areExcluded, exclusions } = exclusion();
      const { status, body } = await ask(kept, url, path, tenant);
      answers += 1;
      if (status === 503 && (mayFail || isDisturbed)) unavailable += 1;
      else if (status !== 200 && !(status === 404 && path.includes('/findings/')))
        throw new Error(`${path} of ${tenant} was answered ${status} while others wrote`);
      // A statement that began before TRUNCATE was committed sees the table empty, and all else as it was.
      const mayMix = areExcluded || exclusions !== exclusion().exclusions;
      const problem = status === 200 ? inconsistency(path, tenant, body, mayMix) : null;
      if (problem !== null) throw new Error(`${path} of ${tenant}: ${problem}: ${JSON.stringify(body)}`);
      await setTimeout(status === 503 ? 100 : 2);
    }
  };
  let failure: unknown = null;
  const reading = urls.map((url, index) =>
    readBeside(url, index).catch((error: unknown) => {
      failure ??= error;
    }),
  );

  return {
    disturb: () => {
      isDisturbed = true;
    },
    /** Rejects if a reader has met a mistake. */
    check: () => {
      if (failure !== null) throw failure;
    },
    compareOne: (admin: pg.Client, random: Random) => {
      const question = aQuestion(random);
      return compare(admin, random.pick(tenants), () => [question]);
    },
    compareAll: async (admin: pg.Client, random: Random) => {
      for (const tenant of tenants) await compare(admin, tenant, (rows) => allQuestions(random, rows));
      isDisturbed = false;
    },
    end: async () => {
      isOver = true;
      await Promise.all(reading);
      return `${answers} responses, ${unavailable} of them 503 after an end of connections`;
    },
  };
};
export type Readers = ReturnType<typeof readersOf>;

/** Rejects if a role that row-level security holds sees other rows than those of the tenant that it has set. */
export const checkRole = async (admin: pg.Client, url: string): Promise<void> => {
  const all = await stored(admin);
  const none = { repos: [], scans: [], fixDrafts: [], pullRequests: [] };
  const nobody = { ann: none, bob: none, cy: none };
  for (const tenant of tenants) {
    await connected(url, async (client) => {
      await client.query("SELECT set_config('triage.user_id', $1, false)", [tenant]);
      if (!isDeepStrictEqual(await stored(client), { ...nobody, [tenant]: all[tenant] }))
        throw new Error(`${url} sees other rows than those of ${tenant}`);
    });
  }
  // Without a tenant it sees nothing, or is refused.
  const seen = await connected(url, stored).catch((error: unknown) => {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return nobody;
  });
  if (!isDeepStrictEqual(seen, nobody)) throw new Error(`${url} sees rows without a tenant`);
};
