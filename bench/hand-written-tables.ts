import type pg from 'pg';

/** How many rows lie between two marks. */
export const markDistance = 25;

/**
 * Creates what the hand-written server reads besides the tables of the schema: the length of each list, and
 * the place of every 25th row of it. They are filled once and nothing keeps them up to date, so that they
 * cost the hand-written server next to nothing. Updates that move no row of a list leave them correct.
 */
export const createHandWrittenTables = async (client: pg.Client, userId: string): Promise<void> => {
  await client.query(`
    CREATE SCHEMA hand_written;
    CREATE TABLE hand_written.lists (
      user_id text COLLATE "C", list text, total bigint NOT NULL, PRIMARY KEY (user_id, list));
    CREATE TABLE hand_written.marks (
      user_id text COLLATE "C", list text, number bigint,
      at timestamptz NOT NULL, id text COLLATE "C" NOT NULL, PRIMARY KEY (user_id, list, number));`);
  for (const [list, table, at] of [
    ['findings', 'triage.fix_drafts', 'discovered_at'],
    ['prs', 'triage.pull_requests', 'created_at'],
  ] as const) {
    await client.query(
      `INSERT INTO hand_written.lists SELECT $1::text, $2::text, count(*) FROM ${table} WHERE user_id = $1`,
      [userId, list],
    );
    await client.query(
      `INSERT INTO hand_written.marks
        SELECT $1::text, $2::text, place / $3, at, id
        FROM (SELECT ${at} AS at, id, row_number() OVER (ORDER BY ${at} DESC, id) - 1 AS place
          FROM ${table} WHERE user_id = $1) AS numbered
        WHERE place % $3 = 0`,
      [userId, list, markDistance],
    );
  }
};
