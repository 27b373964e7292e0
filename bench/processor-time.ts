import { readdir, readFile } from 'node:fs/promises';
import { platform } from 'node:os';
import type pg from 'pg';

/** Reads how much processor time has been used so far, in milliseconds; null where it cannot be known. */
export type ProcessorTime = () => Promise<number | null>;

/** Linux counts the processor time of a process in hundredths of a second. */
const millisecondsPerTick = 10;

type Stat = Readonly<{ name: string; parent: number; own: number; ofEndedChildren: number }>;

/** What Linux tells about a process; null if it has ended or this is not Linux. */
const statOf = async (pid: number | string): Promise<Stat | null> => {
  if (platform() !== 'linux') return null;
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const [, name, rest] = /^\d+ \((.*)\) (.*)$/s.exec(text) ?? [];
  if (name === undefined || rest === undefined) return null;
  const fields = rest.split(' ').map(Number);
  const ticks = (first: number): number => (fields[first] ?? 0) + (fields[first + 1] ?? 0);
  return {
    name,
    parent: fields[1] ?? 0,
    own: ticks(11) * millisecondsPerTick,
    ofEndedChildren: ticks(13) * millisecondsPerTick,
  };
};

/** The processor time of one process, with that of all its threads. */
export const timeOfProcess =
  (pid: number): ProcessorTime =>
  async () =>
    (await statOf(pid))?.own ?? null;

/** The processor time of the processes that this one has started and that have ended. */
export const timeOfEndedChildren: ProcessorTime = async () =>
  (await statOf(process.pid))?.ofEndedChildren ?? null;

/**
 * The processor time of all processes of the PostgreSQL server that a client is connected to, running or
 * ended. It is unknown if the server runs on another machine.
 */
export const timeOfPostgres = async (client: pg.Client): Promise<ProcessorTime> => {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const backend = await statOf(rows[0]?.pid ?? 0);
  if (backend === null || !backend.name.startsWith('postgres')) return async () => null;
  return async () => {
    const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const stats = await Promise.all(processes.map(statOf));
    const postmaster = await statOf(backend.parent);
    return stats
      .filter((stat) => stat?.parent === backend.parent)
      .reduce((sum, stat) => sum + (stat?.own ?? 0), postmaster?.ofEndedChildren ?? 0);
  };
};
