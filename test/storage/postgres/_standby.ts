import { execFile } from 'node:child_process';
import { appendFile, chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import * as t from 'io-ts';
import { nobody, password, type Server, startOn } from './_embedded.js';
import { connected } from './_postgres.js';

const Place = t.type({ data: t.string, bin: t.string, port: t.string });
const Label = t.type({ labelfile: t.string });

/** Files of a running server that a copy of its data must not have. */
const running = ['postmaster.pid', 'postmaster.opts'];

/**
 * Starts a standby that streams from a server of `startEmbedded`: a copy of its data, taken while it runs.
 */
export const startStandby = async (primary: Server): Promise<Server> => {
  const isRoot = process.getuid?.() === 0;
  const directory = await mkdtemp(join(isRoot ? '/tmp' : tmpdir(), 'triage-api-standby-'));
  const data = join(directory, 'data');
  const { bin, port } = await connected(primary.url('postgres'), async (client) => {
    const { rows } = await client.query(
      `SELECT current_setting('data_directory') AS data, current_setting('port') AS port,
         (SELECT setting FROM pg_config WHERE name = 'BINDIR') AS bin`,
    );
    const [place] = rows;
    if (!Place.is(place)) throw new Error('the server does not say where its data and programs are');
    await client.query("SELECT pg_backup_start('standby', true)");
    await cp(place.data, data, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !running.includes(basename(source)),
    });
    const [label] = (await client.query('SELECT labelfile FROM pg_backup_stop(false)')).rows;
    if (!Label.is(label)) throw new Error('the backup has no label');
    await writeFile(join(data, 'backup_label'), label.labelfile);
    return place;
  });
  await writeFile(join(data, 'standby.signal'), '');
  await appendFile(
    join(data, 'postgresql.auto.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres password=${password}'\n`,
  );
  const runAs = isRoot ? await nobody() : {};
  await chmod(directory, 0o755);
  await chmod(data, 0o700);
  if (runAs.uid !== undefined) {
    await promisify(execFile)('chown', ['-R', `${runAs.uid}:${runAs.gid}`, directory]);
  }
  const started = await startOn(join(bin, 'pg_ctl'), data, join(directory, 'log'), runAs);
  return {
    url: (database) => `postgres://postgres:${password}@127.0.0.1:${started.port}/${database}`,
    stop: () => started.stop().finally(() => rm(directory, { recursive: true, force: true })),
  };
};
