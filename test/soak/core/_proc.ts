import { readdirSync, readFileSync } from 'node:fs';

/** What Linux tells about processes; null where it cannot be known: another system, or it has ended. */
const read = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};

const kilobytes = (pid: number, field: string): number | null => {
  const found = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(read(`/proc/${pid}/status`) ?? '');
  return found === null ? null : Number(found[1]) * 1024;
};

/** The memory that a process holds, in bytes. */
export const memoryOf = (pid: number): number | null => kilobytes(pid, 'VmRSS');

/** The most memory that a process has ever held, in bytes. */
export const peakMemoryOf = (pid: number): number | null => kilobytes(pid, 'VmHWM');

/** The number of files and connections that a process has open. */
export const descriptorsOf = (pid: number): number | null => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return null;
  }
};

const statOf = (pid: number | string): readonly string[] =>
  /^\d+ \(.*\) (.*)$/s.exec(read(`/proc/${pid}/stat`) ?? '')?.[1]?.split(' ') ?? [];

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100;

/** The processor time that a process has used with all its threads, in seconds. */
export const processorSecondsOf = (pid: number): number | null => {
  const stat = statOf(pid);
  return stat.length === 0 ? null : (Number(stat[11]) + Number(stat[12])) / ticksPerSecond;
};

/** The processes that a process has started and that still run. */
export const childrenOf = (pid: number): readonly number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(statOf(name)[1]) === pid)
    .map(Number);

/** Whether a process runs; one that has ended and is only waited for does not. */
export const isAlive = (pid: number): boolean => {
  const [state] = statOf(pid);
  return state !== undefined && state !== 'Z' && state !== 'X';
};

/** The number of files that this process may open. */
export const descriptorLimit = (): number =>
  Number(/^Max open files\s+(\d+)/m.exec(read('/proc/self/limits') ?? '')?.[1] ?? Number.POSITIVE_INFINITY);
