import pg from 'pg';

/** What a session waits for, and who holds it, as one line for people. */
export type OnLockWait = (description: string) => void;

/** Watches a session, which its process id names, until the returned function is called. */
export type WatchLocks = (pid: number, onLockWait: OnLockWait) => () => Promise<void>;

/** The lock that a session waits for, and each session that it waits for. */
const waits = `
  SELECT
    CASE w.locktype
      WHEN 'relation' THEN w.relation::regclass::text
      WHEN 'advisory' THEN NULL
      ELSE 'a lock of type ' || w.locktype
    END AS target,
    b.pid, a.application_name AS program, a.usename AS role
  FROM pg_locks w
  CROSS JOIN LATERAL unnest(pg_blocking_pids(w.pid)) AS b (pid)
  LEFT JOIN pg_stat_activity a ON a.pid = b.pid
  WHERE w.pid = $1 AND NOT w.granted
  ORDER BY b.pid`;

/**
 * Looks every `interval` milliseconds, on a connection of its own, what a session waits for. A session that
 * waits cannot look itself. The connection is made when the session has run for an interval; if it fails,
 * nothing is reported.
 */
export const watchLocks =
  (url: string, interval: number): WatchLocks =>
  (pid, onLockWait) => {
    const stopping = new AbortController();
    const watching = watch(url, interval, pid, onLockWait, stopping.signal).catch(() => {});
    return async () => {
      stopping.abort();
      await watching;
    };
  };

const watch = async (
  url: string,
  interval: number,
  pid: number,
  onLockWait: OnLockWait,
  stopping: AbortSignal,
): Promise<void> => {
  await elapsed(interval, stopping);
  if (stopping.aborted) return;
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    application_name: 'triage-api',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    while (!stopping.aborted) {
      const { rows } = await client.query(waits, [pid]);
      const [first] = rows;
      if (first !== undefined) onLockWait(describe(first.target, rows.map(sessionName).join(' and ')));
      await elapsed(interval, stopping);
    }
  } finally {
    await client.end().catch(() => {});
  }
};

/** An advisory lock has no target: it is the one that concurrent migrations wait for. */
const describe = (target: unknown, sessions: string): string =>
  target === null
    ? `waiting for another migration, run by ${sessions}`
    : `waiting for ${target}, locked by ${sessions}`;

const sessionName = ({
  pid,
  program,
  role,
}: Readonly<Record<'pid' | 'program' | 'role', unknown>>): string => {
  const details = [program, role === null ? null : `role ${role}`].filter(
    (each) => each !== null && each !== '',
  );
  return `process ${pid}${details.length > 0 ? ` (${details.join(', ')})` : ''}`;
};

/** Resolves when the time has passed or the signal is aborted. */
const elapsed = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
    if (signal.aborted) end();
  });
