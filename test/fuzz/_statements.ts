import pg from 'pg';
import type { Random } from '../../src/generator/random.js';

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

/** Rows to insert: one or a few with the ids that all use, or many; a pull request takes the repository of its draft. */
const insert = (random: Random, tenant: Tenant): string => {
  const table = aTable(random);
  const isBulk = table !== 'repos' && random.percent(15);
  const names = columnsOf(table).map(([name]) => name);
  const values = columnsOf(table).map(([, draw]) => draw(random, tenant));
  const size = isBulk
    ? random.weighted([
        [10, 40],
        [4, 130],
        [1, 700],
      ])
    : 1 + random.below(6);
  const first = isBulk ? random.below(400) : random.below(table === 'repos' ? 6 : 25);
  const letterOf = `(ARRAY[${letters.map(literal)}])[1 + i % ${letters.length}]`;
  const time = /^(?:started|discovered|created)_at$/;
  const spread = names.map((name, index) =>
    time.test(name) && random.percent(50)
      ? `'2026-01-01'::timestamptz + i % 90 * interval '1 minute'`
      : `${values[index]}`,
  );
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
    [isBulk ? 0 : 3, ''],
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
  const set = columnsOf(table)
    .filter(() => random.percent(30))
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
export const aStatement = (random: Random, tenant: Tenant, isHeld: boolean): string => {
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
export const truncation = (random: Random): string =>
  random.pick([
    'TRUNCATE triage.pull_requests',
    'TRUNCATE triage.scans',
    'TRUNCATE triage.fix_drafts CASCADE',
    'TRUNCATE triage.repos CASCADE',
  ]);

export const maintenance = (random: Random): string =>
  `${random.pick(['VACUUM (FULL)', 'VACUUM (ANALYZE)', 'ANALYZE', 'REINDEX TABLE'])} triage.${random.pick(tables)}`;
