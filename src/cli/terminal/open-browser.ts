import { spawn } from 'node:child_process';
import * as E from '#fp-ts/Either';
import type { Environment } from '../settings/setting-sources.js';
import { browserPrograms, type Desktop, type Invocation } from './browser-programs.js';

/**
 * Opens an address in a browser. Resolves with why that failed, or null. A browser that keeps running in the
 * foreground is not waited for by the process, only by the promise.
 */
export const openBrowser = async (url: string, desktop: Desktop): Promise<string | null> => {
  const programs = browserPrograms(url, desktop);
  if (E.isLeft(programs)) return programs.left;
  for (const invocation of programs.right) {
    const failure = await start(invocation, desktop.environment);
    if (failure !== notFound) return failure;
  }
  return programs.right.length === 0
    ? null
    : `${programs.right.map(({ program }) => program).join(' and ')} cannot be found`;
};

const notFound = Symbol('not found');

const start = (
  { program, words }: Invocation,
  environment: Environment,
): Promise<string | null | typeof notFound> =>
  new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void =>
      resolve(error.code === 'ENOENT' ? notFound : `${program} cannot be started: ${error.message}`);
    try {
      const child = spawn(program, words, {
        // It outlives the server, and does not get the Ctrl+C that ends it.
        detached: true,
        stdio: 'ignore',
        env: withoutSecrets(environment),
        windowsHide: true,
      });
      child.once('error', failed);
      child.once('exit', (code, signal) =>
        resolve(code === 0 ? null : `${program} ended with ${code === null ? signal : `code ${code}`}`),
      );
      child.unref();
    } catch (error) {
      // A name that no program can have, such as one with a null byte.
      failed(error instanceof Error ? error : new Error(String(error)));
    }
  });

/** A browser has no use for the settings of the server, some of which are secrets. */
const withoutSecrets = (environment: Environment): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !/^(?:TRIAGE_|DATABASE_URL)/.test(name)));
