import { link, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Server } from '../test/storage/postgres/_embedded.js';
import { prepare, remove, startPostgres } from '../test/storage/postgres/_postgres.js';
import { writeFixtureFiles } from './fixture-files.js';
import { peakMemoryOf } from './peak-memory.js';
import { atMost, type Result, reportOf, type SectionContext, type SectionReport } from './section.js';
import { triageApi } from './server-process.js';
import { withTemporaryDirectory } from './temporary-directory.js';

/** How much more memory is tolerated: when garbage is collected differs from run to run. */
const bound = 1.25;

const files = 10;
const few = 2;

/** Runs a command over a directory of fixtures, and resolves to the peak of its memory in bytes. */
type Command = (directory: string) => Promise<number>;

const check: Command = (directory) => peakMemoryOf(triageApi, ['check', directory]);

/** Imports into a database of its own, which is removed afterwards. */
const importInto =
  (server: Server): Command =>
  async (directory) => {
    const name = `triage_bench_${process.pid}`;
    try {
      await prepare(server, name);
      return await peakMemoryOf(triageApi, ['import', '--database-url', server.url(name), directory]);
    } finally {
      await remove(server, name);
    }
  };

/**
 * The peak memory of `check` and of `import` for ten files, as a multiple of that for two of them.
 */
export const benchCheck = ({ print, quick }: SectionContext): Promise<SectionReport> =>
  withTemporaryDirectory(async (directory) => {
    // One half are findings, the other pull requests.
    const rows = quick ? 100_000 : 1_000_000;
    const [all, some] = [join(directory, 'all'), join(directory, 'some')];
    print(`writing ${files} files with ${rows.toLocaleString('en')} rows together …`);
    await Promise.all([mkdir(all), mkdir(some)]);
    await writeFixtureFiles(all, { rows: rows / 2, files });
    for (const name of (await readdir(all)).sort().slice(0, few))
      await link(join(all, name), join(some, name));

    const compare = async (name: string, command: Command): Promise<Result> => {
      const megabytes = async (directory: string, count: number): Promise<number> => {
        const peak = (await command(directory)) / 1e6;
        print(`${name} of ${count} files: peak memory ${peak.toFixed(0)} MB`);
        return peak;
      };
      const [ofFew, ofAll] = [await megabytes(some, few), await megabytes(all, files)];
      return atMost(bound, {
        measure: `Peak memory of \`${name}\`: ${rows.toLocaleString('en')} rows in ${files} files`,
        comparedWith: `${few} of the files`,
        value: ofAll / ofFew,
      });
    };
    const checked = await compare('check', check);
    const server = await startPostgres();
    try {
      return reportOf(checked, await compare('import', importInto(server)));
    } finally {
      await server.stop();
    }
  });
