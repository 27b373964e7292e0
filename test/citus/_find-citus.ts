import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../_find-program.js';

/**
 * The folder of the programs of a PostgreSQL on this machine that can load Citus, or null; `CITUS_BIN` names
 * another place.
 */
export const findCitus = (): string | null => {
  const given = process.env.CITUS_BIN;
  const folders = given
    ? [given]
    : [17, 16, 15, 14].flatMap((version) => [
        `/usr/lib/postgresql/${version}/bin`,
        `/usr/pgsql-${version}/bin`,
      ]);
  return folders.find(loadsCitus) ?? null;
};

/** A library that was built for another minor version is there, and the server does not start with it. */
const loadsCitus = (folder: string): boolean => {
  const programs = ['initdb', 'pg_ctl', 'postgres'].map((name) => findProgram([join(folder, name)]));
  if (programs.includes(null) || !existsSync(join(folder, '../lib/citus.so'))) return false;
  const directory = mkdtempSync('/tmp/triage-api-citus-');
  const isRoot = process.getuid?.() === 0;
  const idOf = (option: string): number =>
    Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }));
  const runAs = isRoot ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  const run = (program: string, ...words: readonly string[]): boolean =>
    spawnSync(join(folder, program), words, { cwd: directory, stdio: 'ignore', ...runAs }).status === 0;
  try {
    chmodSync(directory, 0o755);
    if (runAs.uid !== undefined) chownSync(directory, runAs.uid, runAs.gid);
    const data = join(directory, 'data');
    return (
      run('initdb', `--pgdata=${data}`, '--no-sync', '--username=postgres', '--auth=trust') &&
      // Takes the libraries into account, without a start.
      run('postgres', '-D', data, '-c', 'shared_preload_libraries=citus', '-C', 'shared_memory_size')
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
};
