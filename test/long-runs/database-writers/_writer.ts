import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { Random } from '../../_random.js';

export const tenants = ['ann', 'bob', 'cy'] as const;
export type Tenant = (typeof tenants)[number];

const literal = pg.escapeLiteral;

/** Letters whose order by code point differs from their order in UTF-16 and from that of a dictionary. */
const letters = ['a', 'B', 'é', '\u{1F600}', '\uFFFD'];

/** Few ids, the same for every tenant and table, so that writers meet. */
const idOf = (index: number): string => `${letters[index % letters.length]}${index}`;
export const repoIds = Array.from({ length: 6 }, (_, index) => idOf(index));
const anId = (random: Random, end = 25): string => literal(idOf(random.below(end)));
const aRepo = (random: Random): string => literal(random.pick([idOf(0), ...repoIds]));

const word = (random: Random): string =>
  literal(random.pick(['', 'x', 'naïve 😀', `' " \\ \n`, '</b>', '\u2028']));

/** Few moments, so that many are equal; some are rounded, some the first and the last that there are. */
const moment = (random: Random): string =>
  literal(
    random.weighted([
      [20, `2026-01-0${1 + random.below(3)}T0${random.below(3)}:00:00.00${random.below(2)}Z`],
      [3, '2026-01-01T00:00:00.0004999Z'],
      [3, '2026-01-01T02:30:00.0005+02:30'],
      [1, '0001-01-01T00:00:00Z'],
      [1, '9999-12-31T23:59:59.999Z'],
    ]),
  );
const momentOrNull = (random: Random): string => (random.percent(50) ? 'NULL' : moment(random));
const score = (random: Random): string =>
  random.pick(['0', '1', '0.1', '-2.5e-300', '1.7976931348623157e308']);
const count = (random: Random): string => random.pick(['0', '7', '9007199254740991']);
const truth = (random: Random): string => random.pick(['true', 'false']);
const oneOf =
  (...values: readonly [string, ...string[]]) =>
  (random: Random): string =>
    literal(random.pick(values));

/**
 * The columns of each table, in the order in which the tables are documented, and what is drawn for them. A
 * value of some columns begins with the tenant, so that a row that reaches another tenant can be told.
 */
const columns = {
  repos: {
    owner: (random: Random, tenant: Tenant) => `${literal(tenant)} || ${word(random)}`,
    repo: word,
    default_branch: word,
    is_demo_row: truth,
    scan_status_badge: word,
    status: word,
  },
  scans: {
    repo_id: aRepo,
    started_at: moment,
    finished_at: moment,
    status: (random: Random, tenant: Tenant) => `${literal(tenant)} || ${word(random)}`,
    findings_seen: count,
    drafts_opened: count,
    error: (random: Random) => (random.percent(50) ? 'NULL' : word(random)),
  },
  fix_drafts: {
    repo_id: aRepo,
    advisory_id: oneOf('GHSA-1', 'GHSA-2', 'GHSA-3', 'GHSA-4'),
    package: (random: Random, tenant: Tenant) => `${literal(tenant)} || ${word(random)}`,
    ecosystem: word,
    vulnerable_range: word,
    fixed_range: word,
    severity: oneOf('critical', 'high', 'medium', 'low'),
    reachability: score,
    exploit_signal: score,
    status: oneOf('pending', 'drafting', 'escalated', 'resolved'),
    ci_status: word,
    discovered_at: moment,
    updated_at: moment,
    reconciled_at: momentOrNull,
  },
  pull_requests: {
    from_version: word,
    to_version: word,
    branch: word,
    has_codemod: truth,
    codemod_summary: word,
    ci_status: word,
    pr_url: word,
    pr_state: (random: Random) =>
      random.pick(['NULL', "'open'", "'open'", "'merged'", "'closed'", "'cancelled'", "'draft'"]),
    created_at: moment,
    updated_at: moment,
    reconciled_at: momentOrNull,
  },
} as const;

type Column = (random: Random, tenant: Tenant) => string;
export type Table = keyof typeof columns;
export const tables = ['repos', 'scans', 'fix_drafts', 'pull_requests'] as const;
const columnsOf = (table: Table): readonly (readonly [string, Column])[] => Object.entries(columns[table]);

const aTable = (random: Random): Table =>
  random.weighted([
    [2, 'repos'],
    [3, 'scans'],
    [4, 'fix_drafts'],
    [4, 'pull_requests'],
  ]);

/** Rows to insert: a few with the ids that all use, or many. A pull request is of its draft's repository. */
const insert = (random: Random, tenant: Tenant, filled: Table | null = null): string => {
  const table = filled ?? aTable(random);
  const isBulk = table !== 'repos' && random.percent(15);
  const names = columnsOf(table).map(([name]) => name);
  const values = columnsOf(table).map(([, draw]) => draw(random, tenant));
  const few = table === 'repos' ? 6 : 25;
  const some = isBulk ? random.pick([40, 40, 130, 400]) : 1 + random.below(6);
  const [first, size] = filled === null ? [random.below(isBulk ? 400 : few), some] : [0, few];
  const letterOf = `(ARRAY[${letters.map(literal)}])[1 + i % ${letters.length}]`;
  const time = /^(?:started|discovered|created)_at$/;
  const spread = names.map((name, index) => {
    if (name === 'repo_id' && size > 6) return `(ARRAY[${repoIds.map(literal)}])[1 + i % ${repoIds.length}]`;
    return time.test(name) && random.percent(50)
      ? `'2026-01-01'::timestamptz + i % 90 * interval '1 minute'`
      : `${values[index]}`;
  });
  const isPullRequest = table === 'pull_requests';
  const draft = random.percent(isBulk ? 50 : 90) ? `${letterOf} || i` : anId(random);
  const into = ['user_id', 'id', ...(isPullRequest ? ['repo_id', 'draft_id'] : []), ...names];
  const from = isPullRequest
    ? ` JOIN triage.fix_drafts d ON d.user_id = ${literal(tenant)} AND d.id = ${draft}`
    : '';
  // Sometimes of a repository that need not be the one of the draft, which is refused.
  const ofDraft = isPullRequest ? [random.percent(95) ? 'd.repo_id' : aRepo(random), 'd.id'] : [];
  const changed = names.filter((name) => name !== 'repo_id' || random.percent(50));
  const conflict = random.weighted([
    [isBulk || filled !== null ? 0 : 3, ''],
    [3, 'ON CONFLICT (user_id, id) DO NOTHING'],
    [
      5,
      `ON CONFLICT (user_id, id) DO UPDATE SET ${changed.map((name) => `${name} = excluded.${name}`).join()}`,
    ],
  ]);
  return `INSERT INTO triage.${table} (${into.join()})
    SELECT ${[literal(tenant), `${letterOf} || i`, ...ofDraft, ...spread].join()}
    FROM generate_series(${first}, ${first + size - 1}) i${from} ORDER BY i ${conflict}`;
};

/** What an update or a delete is about: one row, those of a repository, some of them, rarely all. */
const rowsOf = (random: Random, table: Table): string => {
  const ofRepo = table === 'repos' ? 'id' : 'repo_id';
  return random.weighted([
    [12, `id = ${anId(random, table === 'repos' ? 6 : 25)}`],
    [3, `${ofRepo} = ${aRepo(random)}`],
    [3, `id > ${anId(random)}`],
    [1, 'true'],
  ]);
};

const update = (random: Random, table: Table, tenant: Tenant): readonly [string, string] => {
  // One column alone, or several.
  const share = random.pick([7, 30]);
  const set = columnsOf(table)
    .filter(() => random.percent(share))
    .map(([name, draw]) => `${name} = ${draw(random, tenant)}`);
  const ofDraft = `SELECT d.repo_id, d.id FROM triage.fix_drafts d
    WHERE d.user_id = pull_requests.user_id AND d.id = ${anId(random)}`;
  const key =
    table === 'pull_requests' && random.percent(70)
      ? `(repo_id, draft_id) = (${ofDraft})`
      : `id = ${anId(random)}`;
  const all = set.length === 0 || random.percent(10) ? [...set, key] : set;
  return [`UPDATE triage.${table} SET ${all.join()}`, rowsOf(random, table)];
};

/**
 * A statement of a transaction that is about a tenant. Whoever is held by row-level security may leave the
 * tenant out of the condition; the rows that it returns must be of the tenant all the same.
 */
const aStatement = (random: Random, tenant: Tenant, isHeld: boolean): string => {
  const table = aTable(random);
  const where = (condition: string): string =>
    `WHERE ${condition}${isHeld && random.percent(40) ? '' : ` AND user_id = ${literal(tenant)}`}`;
  const other = random.pick(tenants);
  const [change, rows] = update(random, table, tenant);
  const moved = { repos: 'owner', scans: 'status', fix_drafts: 'package', pull_requests: 'branch' }[table];
  return random.weighted([
    [12, `${insert(random, tenant)} RETURNING user_id`],
    [8, `${change} ${where(rows)} RETURNING user_id`],
    [4, `DELETE FROM triage.${table} ${where(rowsOf(random, table))} RETURNING user_id`],
    [1, `DELETE FROM triage.repos ${where(`id = ${aRepo(random)}`)} RETURNING user_id`],
    [2, `SELECT user_id FROM triage.${table} ${where(rowsOf(random, table))} FOR UPDATE`],
    [2, `SELECT user_id FROM triage.${table} ${where(rowsOf(random, table))}`],
    [
      2,
      `UPDATE triage.${table} SET user_id = ${literal(other)}, ${moved} = ${literal(other)}
        ${where(`id = ${anId(random)}`)} RETURNING ${literal(tenant)} AS user_id`,
    ],
  ]);
};

/** What only the owner of the tables may do, or does better alone. */
const truncation = (random: Random): string =>
  random.pick([
    'TRUNCATE triage.pull_requests',
    'TRUNCATE triage.scans',
    'TRUNCATE triage.fix_drafts CASCADE',
    'TRUNCATE triage.repos CASCADE',
  ]);

const maintenance = (random: Random): string =>
  `${random.pick(['VACUUM (FULL)', 'VACUUM', 'ANALYZE', 'REINDEX TABLE'])} triage.${random.pick(tables)}`;

/** What may become of a statement that changes rows: a constraint or a policy refuses one. */
const refusals = /^(?:23\d\d\d|21000|42501)$/;
/** What may become of a transaction: a conflict, or an end of the server or of the connection. */
const ends = /^(?:40001|40P01|55P03|57P0[123]|08\d\d\d)$/;

const hasCode = (error: unknown, codes: RegExp): boolean =>
  error instanceof pg.DatabaseError && codes.test(error.code ?? '');

/** A row of another tenant than the one that a transaction is about. */
class StrayRow extends Error {}

type Situation = Readonly<{
  name: string;
  url: string;
  /** Row-level security holds everyone but the owner of the tables. */
  isHeld: boolean;
  random: Random;
  isOver: () => boolean;
  /** Notes what was done and what became of it. */
  note: (line: string) => void;
}>;

/** Connects as a program that writes does. */
export const connect = async ({ url, isHeld }: Pick<Situation, 'url' | 'isHeld'>): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  // Nobody who waits for all rows of a table makes readers wait for long.
  if (!isHeld) await client.query("SET lock_timeout = '200ms'");
  return client;
};

/** Begins a transaction about a tenant, and changes rows in it. */
export const changeRows = async (client: pg.Client, { name, isHeld, random, note }: Situation) => {
  let tenant: Tenant = random.pick(tenants);
  const send = async (text: string): Promise<void> => {
    try {
      const { rows, command, rowCount } = await client.query(text);
      note(`${name}: ${text} -- ${command} ${rowCount ?? ''}`);
      if (rows.some((row) => 'user_id' in row && row.user_id !== tenant))
        throw new StrayRow(`${name} reached a row of another tenant: ${text}`);
    } catch (error) {
      note(`${name}: ${text} -- ${error}`);
      throw error;
    }
  };
  const become = async (next: Tenant): Promise<void> => {
    tenant = next;
    if (isHeld) await client.query(`SELECT set_config('triage.user_id', '${tenant}', true)`);
  };
  const attempt = async (text: string): Promise<void> => {
    await client.query('SAVEPOINT one');
    await send(text).catch(async (error: unknown) => {
      if (!hasCode(error, refusals)) throw error;
      await client.query('ROLLBACK TO SAVEPOINT one');
    });
  };
  await send(`BEGIN ISOLATION LEVEL ${random.pick(['READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE'])}`);
  await become(tenant);
  // Rows to refer to: without them, most of what follows would be refused.
  for (const table of tables)
    if (random.percent(table === 'repos' ? 60 : 20))
      await attempt(`${insert(random, tenant, table)} RETURNING user_id`);
  const statements = random.percent(15) ? 40 : 1 + random.below(6);
  for (let left = statements; left > 0; left -= 1) {
    if (random.percent(5)) await become(random.pick(tenants));
    await attempt(!isHeld && random.percent(5) ? truncation(random) : aStatement(random, tenant, isHeld));
  }
  return send;
};

/** Writes one transaction after the other until it is over, whatever becomes of the server meanwhile. */
export const write = async (situation: Situation): Promise<void> => {
  const { isHeld, random, isOver, note } = situation;
  let client: pg.Client | null = null;
  while (!isOver()) {
    try {
      client ??= await connect(situation);
      if (!isHeld && random.percent(15)) {
        await client.query(random.percent(50) ? maintenance(random) : truncation(random));
        continue;
      }
      const send = await changeRows(client, situation);
      await send(random.percent(75) ? 'COMMIT' : 'ROLLBACK');
    } catch (error) {
      const isUnexpected = error instanceof pg.DatabaseError && !hasCode(error, ends);
      if (isUnexpected || error instanceof StrayRow) throw error;
      note(`${situation.name}: ${error}`);
      const isConnected = await client?.query('ROLLBACK').then(
        () => true,
        () => false,
      );
      if (isConnected === true) continue;
      client = null;
      await setTimeout(20);
    }
  }
  await client?.end();
};
