import { readFileSync } from 'node:fs';
import { platform } from 'node:os';

/**
 * The peak of the resident memory of this process so far, in bytes. On Linux, `maxRSS` counts what the parent
 * process had when it started this one.
 */
export const ownPeakMemory = (): number => {
  const status = platform() === 'linux' ? readFileSync('/proc/self/status', 'utf8') : '';
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
  return 1024 * Number(kilobytes ?? process.resourceUsage().maxRSS);
};
