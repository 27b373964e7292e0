import { setTimeout } from 'node:timers/promises';
import pg from 'pg';

export type FixDraft = Readonly<{
  id: string;
  repoId: string;
  advisoryId: string;
  package: string;
  ecosystem: string;
  vulnerableRange: string;
  fixedRange: string;
  severity: 'critical' | 'high' | 'medium' | 'low';
  reachability: number;
  exploitSignal: number;
  status: 'pending' | 'drafting' | 'escalated' | 'resolved';
  ciStatus: string;
  /** Timestamps such as 2026-11-20T12:00:00.000Z. */
  discoveredAt: string;
  updatedAt: string;
  reconciledAt: string | null;
}>;

const upsertFixDrafts = `
  INSERT INTO triage.fix_drafts AS d (user_id, id, repo_id, advisory_id, package, ecosystem, vulnerable_range, fixed_range,
    severity, reachability, exploit_signal, status, ci_status, discovered_at, updated_at, reconciled_at)
  SELECT $1, x.* FROM json_to_recordset($2) AS x (id text, "repoId" text, "advisoryId" text, package text, ecosystem text,
    "vulnerableRange" text, "fixedRange" text, severity text, reachability double precision, "exploitSignal" double precision,
    status text, "ciStatus" text, "discoveredAt" timestamptz, "updatedAt" timestamptz, "reconciledAt" timestamptz)
  ORDER BY x.id COLLATE "C"
  ON CONFLICT (user_id, id) DO UPDATE
  SET (severity, status, ci_status, updated_at, reconciled_at)
    = (excluded.severity, excluded.status, excluded.ci_status, excluded.updated_at, excluded.reconciled_at)
  WHERE d.updated_at < excluded.updated_at`;

/** Adds or updates fix drafts of a tenant, in batches. Rejects if a batch fails; earlier batches stay. */
export const writeFixDrafts = async (
  pool: pg.Pool,
  userId: string,
  drafts: readonly FixDraft[],
  batchSize = 500,
): Promise<void> => {
  for (let start = 0; start < drafts.length; start += batchSize) {
    const batch = JSON.stringify(drafts.slice(start, start + batchSize));
    await inTransaction(pool, userId, (client) => client.query(upsertFixDrafts, [userId, batch]));
  }
};

const maxAttempts = 5;

type Work = (client: pg.PoolClient) => Promise<unknown>;

/** Runs `work` in a transaction for a tenant, and repeats it after failures that may pass. */
const inTransaction = async (pool: pg.Pool, userId: string, work: Work): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await attemptTransaction(pool, userId, work);
    } catch (error) {
      if (attempt === maxAttempts || !mayPass(error)) throw error;
      await setTimeout(100 * 2 ** attempt * Math.random());
    }
  }
};

const attemptTransaction = async (pool: pg.Pool, userId: string, work: Work): Promise<void> => {
  const client = await pool.connect();
  // A lost connection also rejects the query that is running. Without a listener, Node would exit.
  const ignore = (): void => {};
  client.on('error', ignore);
  let isUsable = true;
  try {
    await client.query('BEGIN');
    await client.query("SELECT set_config('triage.user_id', $1, true)", [userId]);
    await work(client);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {
      isUsable = false;
    });
    throw error;
  } finally {
    client.off('error', ignore);
    client.release(!isUsable);
  }
};

/** Errors without a SQLSTATE come from the connection. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || /^(?:08|25006|40001|40P01|53|55P03|57P0)/.test(error.code ?? '');
