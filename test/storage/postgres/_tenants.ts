import type pg from 'pg';
import { hashSecret } from '../../../src/accounts/secrets.js';

/**
 * Writes a tenant of so many findings, and as many pull requests, over 30 repositories; its session's value
 * is its id.
 */
export const aTenantOf = async (client: pg.Client, id: string, rows: number): Promise<void> => {
  for (const [statement, ...values] of [
    ["INSERT INTO triage.users SELECT $1::text, $1 || '@test.test', $1 || '@test.test', $1, ''", id],
    ["INSERT INTO triage.sessions SELECT $1, 's', $2, '2026-01-01', '2030-01-01'", id, hashSecret(id)],
    [
      "INSERT INTO triage.repos SELECT $1, 'r' || i, '', '', '', false, '', '' FROM generate_series(0, 29) i",
      id,
    ],
    [
      `INSERT INTO triage.scans SELECT $1, 's' || i, 'r' || i % 30, '2026-01-01'::timestamptz + i * interval '1 hour',
        '2026-01-02', '', 0, 0, NULL FROM generate_series(0, 299) i`,
      id,
    ],
  ] as const) {
    await client.query(statement, [...values]);
  }
  await grow(client, id, 1, rows);
};

/** Gives a tenant the findings and pull requests of these numbers. */
export const grow = async (client: pg.Client, id: string, from: number, to: number): Promise<void> => {
  for (const statement of [
    `INSERT INTO triage.fix_drafts SELECT $1, 'd' || i, 'r' || i % 30, 'GHSA-' || i % 2000, 'lodash', 'npm', '< 4.17.21',
        '>= 4.17.21', 'high', 0.5, 0.25, 'pending', 'none', '2026-01-01'::timestamptz - i * interval '1 second',
        '2026-01-02', NULL FROM generate_series($2::integer, $3::integer) i`,
    `INSERT INTO triage.pull_requests (user_id, id, repo_id, draft_id, from_version, to_version, branch, has_codemod,
        codemod_summary, ci_status, pr_url, pr_state, created_at, updated_at)
      SELECT $1, 'p' || i, 'r' || i % 30, 'd' || i, '4.17.15', '4.17.21', 'triage/lodash', false, '', 'passing',
        'https://github.example/pull', (ARRAY['open', 'merged', NULL])[1 + i / 30 % 3],
        '2026-01-01'::timestamptz - i * interval '1 second', '2026-01-02' FROM generate_series($2::integer, $3::integer) i`,
  ]) {
    await client.query(statement, [id, from, to]);
  }
};
