import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder where the tools are installed, with the settings for them. */
const directory = fileURLToPath(new URL('../../../examples/third-party-tools/', import.meta.url));

/** A file of that package, or of what it depends on. */
export const toolFile = (path: string): string => join(directory, path);

/** What npm writes when it has installed everything; null if it has not. */
export const findTools = (): string | null => {
  const marker = toolFile('node_modules/.package-lock.json');
  return existsSync(marker) ? marker : null;
};

/** What Node runs for each tool. */
export const tools = {
  'check-package': toolFile('check-package.mjs'),
  dredd: toolFile('node_modules/dredd/bin/dredd'),
  newman: toolFile('node_modules/newman/bin/newman.js'),
  portman: toolFile('node_modules/@apideck/portman/bin/portman'),
  prism: toolFile('node_modules/@stoplight/prism-cli/dist/index.js'),
  spectral: toolFile('node_modules/@stoplight/spectral-cli/dist/index.js'),
} as const;

export type Finished = Readonly<{ code: number; out: string; err: string }>;

/** How long a tool may take: less than a test may, so that the test says which tool did not end. */
const timeout = 300_000;

/** Runs a tool in a directory until it ends. */
export const runTool = (
  name: keyof typeof tools,
  words: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Finished> => runScript(tools[name], words, cwd, environment);

/** Runs Node on a script in a directory until it ends. */
export const runScript = (
  script: string,
  words: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<Finished> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [script, ...words],
      {
        cwd,
        env: { ...process.env, FORCE_COLOR: '0', ...environment },
        maxBuffer: 64 * 1024 * 1024,
        timeout,
        killSignal: 'SIGKILL',
      },
      (error, out, err) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        const late =
          error?.killed === true ? `${script}: not finished after ${timeout / 1000} seconds\n` : '';
        resolve({ code, out, err: `${late}${err}` });
      },
    );
  });
