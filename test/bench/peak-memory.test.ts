import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { peakMemoryOf } from '../../bench/peak-memory.js';
import { withTemporaryDirectory } from '../../bench/temporary-directory.js';

/** The peak memory of a program, given as its source. */
const peakOf = (source: string): Promise<number> =>
  withTemporaryDirectory(async (directory) => {
    const program = join(directory, 'program.mjs');
    await writeFile(program, source);
    return peakMemoryOf(program, ['word']);
  });

test('the peak memory of a program is told, although it has given the memory back', async (t) => {
  const small = await peakOf('');
  const large = await peakOf('Buffer.alloc(200_000_000, 1); process.exit(0)');
  t.true(small > 10_000_000, `${small} bytes`);
  t.true(large > 200_000_000 && large - small > 150_000_000, `${large} bytes`);
});

test('only the main thread of a program reports', async (t) => {
  const peak = await peakOf(
    "import { Worker } from 'node:worker_threads'; new Worker(new URL('data:text/javascript,'))",
  );
  t.true(peak > 10_000_000 && peak < 1_000_000_000, `${peak} bytes`);
});

test('a program that fails has no peak memory', async (t) => {
  await t.throwsAsync(peakOf('throw new Error("out of luck")'), {
    message: /word failed:[\s\S]*out of luck/,
  });
});
