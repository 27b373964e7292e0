import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../_package.js';
import type { TestLife } from '../_server.js';
import { startShell } from '../_shell.js';
import { freePort } from '../postgres/_embedded.js';
import { releaseTool } from './_tools.js';

/** A folder that is gone at the end of the tests. */
export const temporaryFolder = async (life: TestLife): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'triage-api-release-'));
  life.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
};

/**
 * Starts an empty registry that everybody may publish this package to, and that has all other packages from
 * the registry that npm uses here. Returns its address.
 */
export const startRegistry = async (life: TestLife): Promise<string> => {
  const folder = await temporaryFolder(life);
  const upstream = (await run('npm', ['config', 'get', 'registry'], folder)).stdout.trim();
  await writeFile(
    join(folder, 'config.yaml'),
    `storage: ${folder}/storage
auth: { htpasswd: { file: ${folder}/users, max_users: -1 } }
uplinks: { upstream: { url: '${upstream}' } }
packages:
  triage-api: { access: $all, publish: $anonymous }
  '**': { access: $all, proxy: upstream }
log: { type: stdout, format: json, level: warn }
web: { enable: false }
`,
  );
  const address = `127.0.0.1:${await freePort()}`;
  const command = `exec node '${releaseTool('verdaccio/bin/verdaccio')}' --config config.yaml --listen ${address}`;
  await startShell(life, folder, command, process.env).shows(/http address - http/);
  return `http://${address}/`;
};
