import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { type Random, randomFor } from '../../_random.js';
import * as model from '../../model/_contract-model.js';
import { connected } from '../../postgres/_postgres.js';
import { repoIds, type Table, type Tenant, tables, tenants } from './_writer.js';

/** The moment at which the clock of the servers stands still. */
export const now = '2026-01-03T12:00:00.000Z';

/** What is committed: the rows of each tenant, as fixtures have them. */
type Stored = Readonly<Record<Tenant, model.Tenant>>;

const collections = {
  repos: 'repos',
  scans: 'scans',
  fix_drafts: 'fixDrafts',
  pull_requests: 'pullRequests',
} as const;

const camelCase = (name: string): string => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());

/** A value as JSON has it; the driver gives 64-bit integers as text. */
const inJson = (name: string, value: unknown): unknown => {
  if (value instanceof Date) return value.toISOString();
  return name === 'findings_seen' || name === 'drafts_opened' ? Number(value) : value;
};

/** The documented columns of all rows that a connection sees. */
export const stored = async (client: pg.Client): Promise<Stored> => {
  const rows = new Map<string, Record<string, unknown>[]>();
  const read = async (table: Table): Promise<void> => {
    const found = await client.query(`SELECT * FROM triage.${table} ORDER BY user_id, id`);
    for (const { user_id, pr_status: _, ...row } of found.rows) {
      const key = `${user_id} ${collections[table]}`;
      const shown = Object.entries(row).map(([name, value]) => [camelCase(name), inJson(name, value)]);
      rows.set(key, [...(rows.get(key) ?? []), Object.fromEntries(shown)]);
    }
  };
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  for (const table of tables) await read(table);
  await client.query('COMMIT');
  const of = (tenant: Tenant): model.Tenant => ({
    repos: rows.get(`${tenant} repos`) ?? [],
    scans: rows.get(`${tenant} scans`) ?? [],
    fixDrafts: rows.get(`${tenant} fixDrafts`) ?? [],
    pullRequests: rows.get(`${tenant} pullRequests`) ?? [],
  });
  return { ann: of('ann'), bob: of('bob'), cy: of('cy') };
};

/** A request, and the status and body that the rows of its tenant have for it. */
type Question = Readonly<{
  path: string;
  expected: (rows: model.Tenant) => readonly [number, unknown];
}>;

const lists = { findings: model.findings, prs: model.prs } as const;
type List = keyof typeof lists;

const list = (name: List, query: model.ListQuery): Question => {
  const parameters = Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]);
  return {
    path: `/api/v1/${name}?${new URLSearchParams(parameters)}`,
    expected: (rows) => [200, lists[name](rows, query)],
  };
};

const repos: Question = {
  path: '/api/v1/repos',
  expected: (rows) => [200, model.repos(rows, Date.parse(now))],
};

const detail = (id: string): Question => ({
  path: `/api/v1/findings/${encodeURIComponent(id)}`,
  expected: (rows) => {
    const body = model.finding(rows, id);
    return ['error' in Object(body) ? 404 : 200, body];
  },
});

const filters = [undefined, 'open', 'merged', 'closed'] as const;
const severities = ['critical', 'high', 'medium', 'low'] as const;
const states = ['pending', 'drafting', 'escalated', 'resolved'] as const;

/** Any one request, with any filters. */
const aQuestion = (random: Random): Question => {
  const repoId = random.percent(50) ? {} : { repoId: random.pick(['none', ...repoIds]) };
  const page = {
    page: random.weighted([
      [4, 1],
      [2, 2],
      [1, 3 + random.below(20)],
    ]),
    limit: random.pick([1, 7, 25, 100, 101]),
    ...repoId,
  };
  const status = random.pick(filters);
  const narrowed = random.percent(50)
    ? {}
    : { severity: random.pick(severities), status: random.pick(states) };
  return random.weighted([
    [2, repos],
    [3, list('findings', { ...page, ...narrowed })],
    [3, list('prs', { ...page, ...(status === undefined ? {} : { status }) })],
    [1, detail(random.pick(['none', ...repoIds]))],
  ]);
};

/** Everything that the API shows of a tenant: every list as a whole, by every filter, and some details. */
const allQuestions = (random: Random, rows: model.Tenant): readonly Question[] => {
  const pages = (name: List, query: model.ListQuery): readonly Question[] => {
    const { totalItems } = lists[name](rows, query);
    // Many short pages or few long ones.
    const limit = Math.min(100, Math.max(random.pick([1, 7, 25, 100, 100]), Math.ceil(totalItems / 6)));
    const count = Math.ceil(totalItems / limit);
    return Array.from({ length: count + 1 }, (_, index) => list(name, { ...query, page: index + 1, limit }));
  };
  const byRepo = [{}, ...['none', ...repoIds].map((repoId) => ({ repoId }))];
  const ids = rows.fixDrafts.map(({ id }) => String(id));
  return [
    repos,
    ...byRepo.flatMap((query) => pages('findings', query)),
    ...pages('findings', { severity: random.pick(severities), status: random.pick(states) }),
    ...byRepo.flatMap((query) =>
      filters.flatMap((status) => pages('prs', status === undefined ? query : { ...query, status })),
    ),
    ...['none', ...repoIds, ...ids.filter(() => random.below(ids.length) < 5)].map(detail),
  ];
};

/** What is wrong with a response; null if it is the right one. */
const mistake = (
  [rightStatus, rightBody]: readonly [number, unknown],
  status: number,
  body: unknown,
): string | null =>
  status === rightStatus && isDeepStrictEqual(body, rightBody)
    ? null
    : `got ${status} ${JSON.stringify(body)}\nexpected ${rightStatus} ${JSON.stringify(rightBody)}`;

/**
 * What is wrong with a response that was given while others wrote: rows of another tenant, or a page that
 * does not fit its own totals, as if the two had been read at different moments.
 */
const inconsistency = (path: string, tenant: Tenant, body: unknown): string | null => {
  const { items, page, limit, totalItems, totalPages } = Object(body);
  const all: readonly unknown[] = Array.isArray(body) ? body : Array.isArray(items) ? items : [body];
  const isOwn = (row: unknown): boolean => {
    const { package: name, owner, repo, lastScan } = Object(row);
    const owners = [name, owner, Object(repo).owner, Object(lastScan).status];
    return owners.every((text) => typeof text !== 'string' || text.startsWith(tenant));
  };
  if (!all.every(isOwn)) return 'it has a row of another tenant';
  if (!Array.isArray(items)) return null;
  if (totalPages !== Math.ceil(totalItems / limit)) return 'its number of pages is not that of its total';
  const room = Math.min(limit, Math.max(0, totalItems - (page - 1) * limit));
  // Findings are narrowed after their page was cut.
  const isWhole = !(path.includes('/findings') && path.includes('severity='));
  if (isWhole ? items.length !== room : items.length > room)
    return `it has ${items.length} items, not ${room}`;
  const times = items.map((row) => String(row.discoveredAt ?? row.createdAt));
  return isDeepStrictEqual(times, [...times].sort().reverse()) ? null : 'its items are not in order';
};

type Kept = Map<string, Readonly<{ etag: string; body: unknown }>>;
type Answer = Readonly<{ status: number; body: unknown }>;

/** Sends a request with the ETag of what any server has sent before; gives the body that a client has. */
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
export const readersOf = (urls: readonly string[], seed: number) => {
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

  const readBeside = async (url: string, index: number): Promise<void> => {
    for (let count = 0; !isOver; count += 1) {
      const random = randomFor(seed, 1000 + index, 'tenant', count);
      const tenant = random.pick(tenants);
      const { path } = aQuestion(random);
      const mayFail = isDisturbed;
      const { status, body } = await ask(kept, url, path, tenant);
      answers += 1;
      if (status === 503 && (mayFail || isDisturbed)) unavailable += 1;
      else if (status !== 200 && !(status === 404 && path.includes('/findings/')))
        throw new Error(`${path} of ${tenant} was answered ${status} while others wrote`);
      const problem = status === 200 ? inconsistency(path, tenant, body) : null;
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
    /** Compares all that the servers show with the rows, which stand still; rejects with a difference. */
    compare: async (admin: pg.Client, random: Random): Promise<void> => {
      const rows = await stored(admin);
      for (const tenant of tenants) {
        const questions = allQuestions(random, rows[tenant]).map(
          ({ path, expected }) => [path, expected(rows[tenant])] as const,
        );
        const askAll = async (url: string): Promise<void> => {
          for (const [path, right] of questions) {
            const { status, body } = await askReady(url, path, tenant);
            const difference = mistake(right, status, body);
            if (difference !== null) throw new Error(`${url}${path} of ${tenant}: ${difference}`);
          }
        };
        await Promise.all(urls.map(askAll));
      }
      isDisturbed = false;
    },
    end: async () => {
      isOver = true;
      await Promise.all(reading);
      return `${answers} responses, ${unavailable} of them 503 after an end of connections`;
    },
  };
};

/** Rejects if a role under row-level security sees other rows than those of the tenant that it has set. */
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
