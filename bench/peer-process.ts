import { spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';
import { boundTo } from './processors.js';
import { cleanEnvironment, type ServerProcess, stopper } from './server-process.js';

/** A program of others, and the request that says whether it is ready. */
export type PeerProgram = Readonly<{
  program: string;
  words: (port: string) => readonly string[];
  path: string;
  headers: Readonly<Record<string, string>>;
  processor: number | undefined;
  /** Where it runs. What it prints goes to a file in it. */
  directory: string;
}>;

const patience = 60_000;

/**
 * Starts a program with Node on a free port, and waits until it answers 200. Rejects, with what it printed, if
 * it ends before or does not within a minute.
 */
export const startPeerProcess = async (peer: PeerProgram): Promise<ServerProcess> => {
  const port = `${await freePort()}`;
  const [command, ...rest] = boundTo(peer.processor, [process.execPath, peer.program, ...peer.words(port)]);
  const logFile = join(peer.directory, 'peer.log');
  const log = await open(logFile, 'w');
  const child = spawn(command, rest, {
    cwd: peer.directory,
    env: cleanEnvironment,
    stdio: ['ignore', log.fd, log.fd],
  });
  const stop = stopper(child);
  await log.close();
  const url = `http://127.0.0.1:${port}`;
  let status = 0;
  for (const end = Date.now() + patience; Date.now() < end && child.exitCode === null; await sleep(100)) {
    status = await statusOf(`${url}${peer.path}`, peer.headers);
    if (status === 200) return { url, pid: child.pid ?? 0, stop };
  }
  const problem = child.exitCode === null ? 'it was not ready within a minute' : 'it ended';
  if (child.exitCode === null) await stop();
  const printed = (await readFile(logFile, 'utf8')).slice(0, 2000);
  throw new Error(`${problem} (last status ${status})\n${printed}`);
};

/** The status of a response; 0 if there is none. */
const statusOf = async (url: string, headers: PeerProgram['headers']): Promise<number> => {
  try {
    const response = await fetch(url, { headers });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
};
