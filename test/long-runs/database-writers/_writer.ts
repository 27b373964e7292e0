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

/**
 * What may become of a statement: a conflict (40…, 55P03), a row that a constraint or a policy refuses, an
 * end of the server or of the connection.
 */
const expectedCodes = /^(?:40001|40P01|55P03|23\d\d\d|21000|42501|57P0[123]|08\d\d\d)$/;

type Writer = Readonly<{
  /** Does the next thing, as drawn; resolves once that is done or waits for a lock. */
  step: (random: Random) => Promise<void>;
  /** Ends the transaction if it is not waiting; resolves to whether the writer has none any more. */
  end: (random: Random) => Promise<boolean>;
  /** Whether readers may have to wait for it. */
  isExclusive: () => boolean;
  /** Whether a statement runs, which waits for a lock then. */
  isRunning: () => boolean;
  /** The process of its connection, or null. */
  pid: () => number | null;
  /** Waits until the statement that waited for a lock does so no more, if that is so. */
  settle: () => Promise<void>;
}>;

type Done = Readonly<{ about: Tenant; text: string }>;

type Situation = Readonly<{
  name: string;
  url: string;
  /** Row-level security holds everyone but the owner of the tables. */
  isHeld: boolean;
  /** Whether a connection waits for a lock. */
  isWaiting: (pid: number) => Promise<boolean>;
  /** Notes what was done and what became of it. */
  note: (line: string) => void;
}>;

/**
 * A program that writes, one statement at a time, whenever the schedule says so. What it does follows from
 * the random numbers and from what became of its statements.
 */
export const writer = ({ name, url, isHeld, isWaiting, note }: Situation): Writer => {
  let client: pg.Client | null = null;
  let ended: Promise<void> = Promise.resolve();
  let pid: number | null = null;
  let running: Promise<void> | null = null;
  let tenant: Tenant = tenants[0];
  /** The tenant at each savepoint: to go back to it undoes the setting. */
  let savepoints: readonly Tenant[] = [];
  let left = 0;
  let isExclusive = false;
  let done: Done[] = [];
  let toRepeat: readonly Done[] = [];
  let failure: unknown = null;

  const connect = async (): Promise<void> => {
    const made = new pg.Client({ connectionString: url });
    made.on('error', () => {});
    ended = new Promise<void>((resolve) => {
      made.once('end', () => {
        client = null;
        resolve();
      });
    });
    await made.connect();
    // Nobody who waits for all rows of a table makes readers wait for long.
    if (!isHeld) await made.query("SET lock_timeout = '200ms'");
    pid = Number((await made.query('SELECT pg_backend_pid() AS pid')).rows[0].pid);
    client = made;
  };

  /** Waits for the statement that runs, unless that waits for a lock, which several looks have to show. */
  const settle = async (): Promise<void> => {
    for (let looks = 0; running !== null && looks < 5; ) {
      if (await Promise.race([running.then(() => true), setTimeout(5, false)])) break;
      looks = pid !== null && (await isWaiting(pid)) ? looks + 1 : 0;
    }
    if (failure !== null) throw failure;
  };

  const send = async (to: pg.Client, text: string, exclusive = false): Promise<void> => {
    isExclusive ||= exclusive;
    const about = tenant;
    // The transaction is known to have failed a moment after its statement.
    const isReady = Promise.race([new Promise<void>((resolve) => to.once('drain', resolve)), ended]);
    const outcome = async (): Promise<string> => {
      try {
        const { rows, command, rowCount } = await to.query(text);
        const strange = rows.find((row) => 'user_id' in row && row.user_id !== about);
        if (strange !== undefined) failure = new Error(`${name} reached a row of another tenant: ${text}`);
        return `${command} ${rowCount ?? ''}`;
      } catch (error) {
        if (!(error instanceof pg.DatabaseError)) return 'the connection was lost';
        if (!expectedCodes.test(error.code ?? '')) failure = error;
        if (/^40/.test(error.code ?? '') && done.length > 0) toRepeat = done;
        return `${error.code} ${error.message}`;
      }
    };
    running = outcome().then(async (result) => {
      await isReady;
      running = null;
      // A lock is held until the transaction ends, in whatever way.
      if (client !== to || to.getTransactionStatus() === 'I') isExclusive = false;
      note(`${name}: ${text} -- ${result}`);
    });
    await settle();
  };

  const become = async (to: pg.Client, next: Tenant): Promise<void> => {
    tenant = next;
    if (isHeld) await send(to, `SELECT set_config('triage.user_id', '${tenant}', true)`);
  };

  const begin = async (to: pg.Client, random: Random): Promise<void> => {
    const level = random.weighted([
      [3, 'READ COMMITTED'],
      [2, 'REPEATABLE READ'],
      [2, 'SERIALIZABLE'],
    ]);
    left = random.weighted([
      [6, 1 + random.below(6)],
      [1, 40],
    ]);
    savepoints = [];
    done = [];
    await send(to, `BEGIN ISOLATION LEVEL ${level}`);
    await become(to, random.pick(tenants));
    // Rows to refer to: without them, most of what follows would be refused.
    for (const table of tables) {
      if (!random.percent(table === 'repos' ? 60 : 20) || running !== null) continue;
      if (to.getTransactionStatus() === 'T')
        await send(to, `${insert(random, tenant, table)} RETURNING user_id`);
    }
  };

  const goBack = async (to: pg.Client, index: number): Promise<void> => {
    tenant = savepoints[index] ?? tenant;
    savepoints = savepoints.slice(0, index + 1);
    await send(to, `ROLLBACK TO SAVEPOINT s${index}`);
  };

  const inTransaction = async (to: pg.Client, random: Random): Promise<void> => {
    left -= 1;
    const index = random.below(Math.max(1, savepoints.length));
    const next = random.weighted([
      [16, 'statement'],
      [2, 'savepoint'],
      [savepoints.length > 0 ? 2 : 0, 'back'],
      [savepoints.length > 0 ? 1 : 0, 'release'],
      [1, 'tenant'],
      [isHeld ? 0 : 1, 'truncate'],
    ] as const);
    if (next === 'savepoint') {
      savepoints = [...savepoints, tenant];
      await send(to, `SAVEPOINT s${savepoints.length - 1}`);
    } else if (next === 'back') await goBack(to, index);
    else if (next === 'release') {
      savepoints = savepoints.slice(0, index);
      await send(to, `RELEASE SAVEPOINT s${index}`);
    } else if (next === 'tenant') await become(to, random.pick(tenants));
    else if (next === 'truncate') await send(to, truncation(random), true);
    else {
      const [repeated, ...others] = toRepeat;
      toRepeat = others;
      if (repeated !== undefined && repeated.about !== tenant) await become(to, repeated.about);
      const text = repeated?.text ?? aStatement(random, tenant, isHeld);
      done.push({ about: tenant, text });
      await send(to, text);
    }
  };

  /** Leaves a transaction in which a statement has failed, as a whole or back to a savepoint. */
  const recover = async (to: pg.Client, random: Random): Promise<void> => {
    if (savepoints.length > 0 && random.percent(60)) await goBack(to, random.below(savepoints.length));
    else await send(to, 'ROLLBACK');
  };

  const end = async (random: Random): Promise<boolean> => {
    if (running !== null) return false;
    const status = client?.getTransactionStatus();
    if (client !== null && status === 'T') await send(client, random.percent(75) ? 'COMMIT' : 'ROLLBACK');
    else if (client !== null && status === 'E') await send(client, 'ROLLBACK');
    return running === null;
  };

  return {
    step: async (random) => {
      if (running !== null) return;
      if (client === null) return connect();
      const status = client.getTransactionStatus();
      if (status === 'E') return recover(client, random);
      if (status === 'T' && left > 0) return inTransaction(client, random);
      if (status === 'T') {
        await end(random);
        return;
      }
      if (!isHeld && random.percent(10)) return send(client, maintenance(random), true);
      if (!isHeld && random.percent(8)) return send(client, truncation(random), true);
      if (isHeld || random.percent(80)) return begin(client, random);
      tenant = random.pick(tenants);
      return send(client, aStatement(random, tenant, isHeld));
    },
    end,
    isExclusive: () => isExclusive,
    isRunning: () => running !== null,
    pid: () => (client === null ? null : pid),
    settle: async () => {
      if (running !== null && pid !== null && (client === null || !(await isWaiting(pid)))) await settle();
    },
  };
};
