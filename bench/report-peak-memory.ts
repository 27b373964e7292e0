import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { ownPeakMemory } from './own-peak-memory.js';

/**
 * Loaded before a program by `peak-memory.ts`: at its end, writes the peak of its resident memory in bytes to
 * the file descriptor 3. Worker threads load it too, and leave that to the main thread.
 */
if (isMainThread)
  process.once('exit', () => {
    writeSync(3, String(ownPeakMemory()));
  });
