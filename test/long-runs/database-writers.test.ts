import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import pg from 'pg';
import {
  anId,
  asFixture,
  findingsQuery,
  prsQuery,
  tenant as rowsOfTenant,
} from '../../src/storage-kit/conformance/api-cases.js';
import { now } from '../_data.js';
import { type NonEmpty, type Random, randomFor } from '../_random.js';
import { amount } from '../_runs.js';
import { listenProcess, run } from '../cli/_cli.js';
import { directoryWith } from '../fixtures/_directory.js';
import * as model from '../model/_contract-model.js';
import { startEmbedded } from '../postgres/_embedded.js';
import { connected, urlWith } from '../postgres/_postgres.js';

/** For how long to write; `TEST_SECONDS=600` is the long form. */
const seconds = amount('TEST_SECONDS', 20);
/** Everything that is drawn follows from it: a run with the seed of another one repeats its rounds. */
const seed = amount('TEST_SEED', 1 + Math.floor(Math.random() * 2 ** 31));

const tenants = ['ann', 'bob', 'cy'] as const;
type Tenant = (typeof tenants)[number];

const collections = {
  repos: 'repos',
  scans: 'scans',
  fix_drafts: 'fixDrafts',
  pull_requests: 'pullRequests',
} as const;
type Table = keyof typeof collections;
const tables = ['repos', 'scans', 'fix_drafts', 'pull_requests'] as const;

/** Fields that begin with the tenant, so that a row which reaches another one can be told. */
const marked: Readonly<Record<Table, string>> = {
  repos: 'owner',
  scans: 'status',
  fix_drafts: 'package',
  pull_requests: 'branch',
};

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camelCase = (name: string): string => name.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());

const valuesOf = <A>(arbitrary: fc.Arbitrary<A>, count: number, random: Random): A[] =>
  fc.sample(arbitrary, { numRuns: count, seed: random.below(2 ** 31) });

/** The rows that a program could write for a tenant, as JSON by table, with the columns that it names. */
const newRows = (random: Random, tenant: Tenant) => {
  const [rows] = valuesOf(rowsOfTenant, 1, random);
  const repoOf = new Map(rows?.fixDrafts.map(({ id, repoId }) => [id, repoId]));
  return tables.map((table) => {
    const written = (rows?.[collections[table]] ?? []).map((row) => ({
      ...row,
      [marked[table]]: `${tenant}${row[marked[table]]}`,
      ...(table === 'pull_requests' ? { repoId: repoOf.get(row.draftId) } : {}),
      userId: tenant,
    }));
    const names = Object.keys(written[0] ?? {}).map(snakeCase);
    const json = written.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [snakeCase(name), value])),
    );
    return { table, names, json: JSON.stringify(json) };
  });
};

/** A change of one column of some rows. */
const updates: readonly [string, ...string[]] = [
  "triage.repos SET repo = repo || '!'",
  "triage.scans SET started_at = started_at + interval '1 hour'",
  "triage.fix_drafts SET status = 'resolved'",
  "triage.fix_drafts SET discovered_at = '2026-11-20T11:00:00Z'",
  "triage.pull_requests SET pr_state = 'open'",
  "triage.pull_requests SET updated_at = updated_at - interval '1 day'",
];

/** Begins a transaction that changes rows of a tenant: it deletes some, adds others, and updates a few. */
const changeRows = async (client: pg.Client, random: Random): Promise<void> => {
  const tenant = random.pick(tenants);
  await client.query('BEGIN');
  await client.query("SELECT set_config('triage.user_id', $1, true)", [tenant]);
  const from = random.pick(tables);
  await client.query(`DELETE FROM triage.${from} WHERE user_id = $1 AND id > $2`, [
    tenant,
    random.pick(['', 'a', 'b', 'z']),
  ]);
  for (const { table, names, json } of newRows(random, tenant)) {
    if (names.length === 0) continue;
    // Rows that refer to one which somebody else has deleted are refused.
    await client.query('SAVEPOINT one');
    await client
      .query(
        `INSERT INTO triage.${table} (${names}) SELECT ${names}
         FROM jsonb_populate_recordset(NULL::triage.${table}, $1) ON CONFLICT DO NOTHING`,
        [json],
      )
      .catch((error: unknown) => {
        if (!hasCode(error, /^23503$/)) throw error;
        return client.query('ROLLBACK TO SAVEPOINT one');
      });
  }
  await client.query(`UPDATE ${random.pick(updates)} WHERE user_id = $1 AND id < $2`, [tenant, 'b']);
};

const hasCode = (error: unknown, codes: RegExp): boolean =>
  error instanceof pg.DatabaseError && codes.test(error.code ?? '');

/** A conflict with another transaction, or an end of the server or of the connection. */
const ends = /^(?:40001|40P01|57P0[123]|08\d\d\d)$/;

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return client;
};

/** Writes one transaction after the other until it is over, whatever becomes of the server meanwhile. */
const write = async (url: string, random: Random, isOver: () => boolean): Promise<void> => {
  let client: pg.Client | null = null;
  while (!isOver()) {
    try {
      client ??= await connect(url);
      await changeRows(client, random);
      await client.query(random.percent(75) ? 'COMMIT' : 'ROLLBACK');
    } catch (error) {
      if (error instanceof pg.DatabaseError && !hasCode(error, ends)) throw error;
      await client?.query('ROLLBACK').catch(() => {
        client = null;
      });
      if (client === null) await setTimeout(20);
    }
  }
  await client?.end();
};

/** What is committed, as fixtures have it. */
type Stored = Readonly<Record<Tenant, model.Tenant>>;

const storedRows = async (client: pg.Client): Promise<Stored> => {
  const inJson = (name: string, value: unknown): unknown => {
    if (value instanceof Date) return value.toISOString();
    // The driver gives 64-bit integers as text.
    return name === 'findings_seen' || name === 'drafts_opened' ? Number(value) : value;
  };
  const rowsIn = async (table: Table, tenant: Tenant) => {
    const text = `SELECT * FROM triage.${table} WHERE user_id = $1 ORDER BY id`;
    const { rows } = await client.query(text, [tenant]);
    return rows.map(({ user_id: _, pr_status: __, ...row }) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [camelCase(name), inJson(name, value)])),
    );
  };
  const rowsOf = async (tenant: Tenant): Promise<model.Tenant> => ({
    repos: await rowsIn('repos', tenant),
    scans: await rowsIn('scans', tenant),
    fixDrafts: await rowsIn('fix_drafts', tenant),
    pullRequests: await rowsIn('pull_requests', tenant),
  });
  return { ann: await rowsOf('ann'), bob: await rowsOf('bob'), cy: await rowsOf('cy') };
};

/** A request, and the status and body that the rows of its tenant have for it. */
type Question = Readonly<{ path: string; expected: (rows: model.Tenant) => readonly [number, unknown] }>;

/** So many requests of each list and of a detail, and one of the repositories. */
const questions = (random: Random, count: number): NonEmpty<Question> => {
  const pathOf = (name: string, query: model.ListQuery): string => {
    const parameters = Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]);
    return `/api/v1/${name}?${new URLSearchParams(parameters)}`;
  };
  return [
    { path: '/api/v1/repos', expected: (rows) => [200, model.repos(rows, Date.parse(now))] },
    ...valuesOf(findingsQuery, count, random).map((query) => ({
      path: pathOf('findings', query),
      expected: (rows: model.Tenant) => [200, model.findings(rows, query)] as const,
    })),
    ...valuesOf(prsQuery, count, random).map((query) => ({
      path: pathOf('prs', query),
      expected: (rows: model.Tenant) => [200, model.prs(rows, query)] as const,
    })),
    ...valuesOf(anId, count, random).map((id) => ({
      path: `/api/v1/findings/${encodeURIComponent(id)}`,
      expected: (rows: model.Tenant) => {
        const body = model.finding(rows, id);
        return ['error' in Object(body) ? 404 : 200, body] as const;
      },
    })),
  ];
};

/**
 * What is wrong with a response that was given while others wrote: rows of another tenant, or a page that
 * does not fit its own totals, as if the two had been read at different moments.
 */
const inconsistency = (path: string, tenant: Tenant, body: unknown): string | null => {
  const { items, page, limit, totalItems, totalPages } = Object(body);
  const all: readonly unknown[] = Array.isArray(body) ? body : Array.isArray(items) ? items : [body];
  const isOwn = (row: unknown): boolean => {
    const { package: name, owner, repo, lastScan, branch } = Object(row);
    const texts = [name, owner, Object(repo).owner, Object(lastScan).status, branch];
    return texts.every((text) => typeof text !== 'string' || text.startsWith(tenant));
  };
  if (!all.every(isOwn)) return 'it has a row of another tenant';
  if (!Array.isArray(items)) return null;
  if (totalPages !== Math.ceil(totalItems / limit)) return 'its number of pages is not that of its total';
  const room = Math.min(limit, Math.max(0, totalItems - (page - 1) * limit));
  // Findings are narrowed after their page was cut.
  const isWhole = !/\/findings.*(?:severity|status)=/.test(path);
  return (isWhole ? items.length === room : items.length <= room) ? null : `it has ${items.length} items`;
};

/** A client that sends the ETag of what any server has sent before. */
const readerOf = () => {
  const answers = new Map<string, Readonly<{ etag: string; body: unknown }>>();
  return async (url: string, path: string, tenant: Tenant) => {
    const known = answers.get(`${tenant} ${path}`);
    const headers = {
      Cookie: `session=${tenant}`,
      ...(known === undefined ? {} : { 'If-None-Match': known.etag }),
    };
    const response = await fetch(url + path, { headers });
    const text = await response.text();
    if (response.status === 304 && known !== undefined) return { status: 200, body: known.body };
    const body: unknown = JSON.parse(text);
    const etag = response.headers.get('etag');
    if (response.status === 200 && etag !== null) answers.set(`${tenant} ${path}`, { etag, body });
    return { status: response.status, body };
  };
};

/** Starts a PostgreSQL server that keeps what it has committed, and can be crashed. */
const startCrashingPostgres = async (t: ExecutionContext) => {
  const durable = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on', deadlock_timeout: '10ms' };
  const server = await startEmbedded(null, durable);
  t.teardown(server.stop);
  const url = server.url('postgres');
  return {
    url,
    /** Ends every connection; resolves once the server accepts connections again. */
    crash: async (isKilled: boolean): Promise<void> => {
      const [process_] = (await readFile(join(server.data, 'postmaster.pid'), 'utf8')).split('\n');
      if (isKilled) process.kill(Number(process_), 'SIGKILL');
      else await server.halt();
      await server.restart();
      while (!(await connected(url, async () => true).catch(() => false))) await setTimeout(20);
    },
  };
};

const logins = { app: 'triage_serve', scanner: 'triage_write' } as const;

/** Prepares the database, its roles and tenants without rows, by the commands that an operator has. */
const prepare = async (t: ExecutionContext, url: string): Promise<void> => {
  const empty = { repos: [], scans: [], fixDrafts: [], pullRequests: [] };
  const directory = await directoryWith(
    t,
    Object.fromEntries(tenants.map((id) => [`${id}.json`, asFixture(id, empty)])),
  );
  for (const words of [
    ['db', 'migrate', '--roles'],
    ['db', 'import', directory],
  ]) {
    const { code, err } = await run([...words, '--database-url', url]);
    if (code !== 0) throw new Error(err);
  }
  await connected(url, async (client) => {
    for (const [name, group] of Object.entries(logins))
      await client.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret' IN ROLE ${group}`);
  });
};

test('whatever programs write and whatever crashes, the API shows exactly what is committed', async (t) => {
  t.timeout((seconds + 1200) * 1000);
  t.log(`TEST_SEED=${seed}`);
  const postgres = await startCrashingPostgres(t);
  await prepare(t, postgres.url);
  const roleUrl = (username: keyof typeof logins) => urlWith(postgres.url, { username, password: 'secret' });
  // A lock that a writer holds makes a reader wait; it is no reason to answer 503.
  const settings = ['--database-url', roleUrl('app'), '--database-timeout', '60000', '--now', now];
  const servers = [await listenProcess(t, settings), await listenProcess(t, settings)];
  const ask = readerOf();
  let admin = await connect(postgres.url);
  let answers = 0;

  const crash = async (random: Random): Promise<void> => {
    const lost = new Promise((resolve) => admin.once('end', resolve));
    await postgres.crash(random.percent(50));
    await lost;
    admin = await connect(postgres.url);
  };

  /** Everything that the servers show has to follow from the rows, which stand still. */
  const compare = async (random: Random): Promise<void> => {
    const rows = await storedRows(admin);
    for (const { url } of servers)
      for (const tenant of tenants)
        for (const { path, expected } of questions(random, 20)) {
          let answer = await ask(url, path, tenant);
          // The server has connections that it does not know to be lost.
          for (let left = 100; answer.status === 503 && left > 0; left -= 1) {
            await setTimeout(100);
            answer = await ask(url, path, tenant);
          }
          answers += 1;
          t.deepEqual([answer.status, answer.body], [...expected(rows[tenant])], `${path} of ${tenant}`);
        }
  };

  const play = async (round: number): Promise<void> => {
    const random = randomFor(seed, 0, 'tenant', round);
    let isOver = false;
    let isDisturbed = false;
    const writing = [0, 1, 2].map((index) =>
      write(roleUrl('scanner'), randomFor(seed, round, 'repo', index), () => isOver),
    );
    const reading = servers.map(async ({ url }, index) => {
      const choices = randomFor(seed, round, 'scan', index);
      while (!isOver) {
        const tenant = choices.pick(tenants);
        const { path } = choices.pick(questions(choices, 1));
        const { status, body } = await ask(url, path, tenant);
        answers += 1;
        const isExpected = status === 200 || (status === 404 && /findings\/./.test(path));
        if (!isExpected && !(status === 503 && isDisturbed))
          throw new Error(`${path} was answered ${status}`);
        const problem = status === 200 ? inconsistency(path, tenant, body) : null;
        if (problem !== null) throw new Error(`${path} of ${tenant}: ${problem}: ${JSON.stringify(body)}`);
        await setTimeout(2);
      }
    });
    const all = Promise.all([...writing, ...reading]);
    all.catch(() => {});
    try {
      await Promise.race([all, setTimeout(200 + random.below(2000))]);
      if (random.percent(40)) {
        isDisturbed = true;
        await crash(random);
        await Promise.race([all, setTimeout(random.below(500))]);
      }
    } finally {
      isOver = true;
    }
    await all;
    if (random.percent(30)) {
      const before = await storedRows(admin);
      await crash(random);
      t.deepEqual(await storedRows(admin), before, 'the crash has changed what was committed');
    }
    // A transaction that is open shows nothing.
    const client = await connect(roleUrl('scanner'));
    await changeRows(client, random);
    await compare(random);
    await client.end();
  };

  const started = performance.now();
  let round = 0;
  try {
    do {
      round += 1;
      await play(round);
    } while (performance.now() - started < seconds * 1000);
  } finally {
    t.log(`${round} rounds, ${answers} responses`);
    await admin.end();
  }
  t.true(answers > 0);
});
