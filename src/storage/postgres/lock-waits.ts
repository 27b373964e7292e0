import { setTimeout } from 'node:timers/promises';
import pg from 'pg';

/** Watches a session, which its process id names, until the returned function is called. */
export type WatchLocks = (pid: number, onLockWait: (description: string) => void) => () => Promise<void>;

/** The lock that a session waits for, and the sessions that hold it. An advisory lock is that of `migrate`. */
const waits = `
  SELECT
    CASE w.locktype WHEN 'relation' THEN w.relation::regclass::text WHEN 'advisory' THEN NULL
      ELSE 'a lock of type ' || w.locktype END AS target,
    string_agg('process ' || b.pid || coalesce(
      ' (' || nullif(concat_ws(', ', nullif(a.application_name, ''), 'role ' || a.usename), '') || ')', ''),
      ' and ' ORDER BY b.pid) AS sessions
  FROM pg_locks w
  CROSS JOIN LATERAL unnest(pg_blocking_pids(w.pid)) AS b (pid)
  LEFT JOIN pg_stat_activity a ON a.pid = b.pid
  WHERE w.pid = $1 AND NOT w.granted
  GROUP BY 1`;

/**
 * Looks every `interval` milliseconds, on a connection of its own, what a session waits for. A session that
 * waits cannot look itself. The connection is made when the session has run for an interval; if it fails,
 * nothing is reported.
 */
export const watchLocks =
  (url: string, interval: number): WatchLocks =>
  (pid, onLockWait) => {
    const stopping = new AbortController();
    const { signal } = stopping;
    const pause = (): Promise<void> => setTimeout(interval, undefined, { signal });
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      application_name: 'triage-api',
    });
    client.on('error', () => {});
    const watch = async (): Promise<void> => {
      await pause();
      await client.connect();
      while (!signal.aborted) {
        const { rows } = await client.query(waits, [pid]);
        for (const { target, sessions } of rows)
          onLockWait(
            target === null
              ? `waiting for another migration, run by ${sessions}`
              : `waiting for ${target}, locked by ${sessions}`,
          );
        await pause();
      }
    };
    const watching = watch()
      .catch(() => {})
      .finally(() => client.end().catch(() => {}));
    return async () => {
      stopping.abort();
      await watching;
    };
  };
