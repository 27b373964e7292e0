import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { run } from '../cli/_cli.js';
import { findChromium } from './_chromium.js';

/** Writes a demo below a path of a folder that is gone when the test is over. Returns the folder. */
export const writeDemo = async (
  t: ExecutionContext,
  path: string,
  options: readonly string[] = [],
): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'triage-api-demo-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const { code, err } = await run(['demo', join(folder, path), ...options]);
  t.deepEqual([code, err], [0, '']);
  return folder;
};

/**
 * A browser that a visitor opens and closes, and that keeps what it has on a disk. `settings`: those of the
 * browser that differ from the usual ones.
 */
export const visitor = async (t: ExecutionContext, settings: object = {}) => {
  const profile = await mkdtemp(join(tmpdir(), 'triage-api-profile-'));
  await mkdir(join(profile, 'Default'));
  await writeFile(join(profile, 'Default', 'Preferences'), JSON.stringify(settings));
  let context: BrowserContext | null = null;
  const close = async (): Promise<void> => {
    await context?.close();
    context = null;
  };
  t.teardown(async () => {
    await close();
    await rm(profile, { recursive: true, force: true });
  });
  return {
    open: async (): Promise<Page> => {
      context = await chromium.launchPersistentContext(profile, {
        executablePath: findChromium() ?? '',
        args: ['--no-sandbox', '--disable-background-networking', '--no-first-run'],
      });
      context.setDefaultTimeout(0);
      return context.pages()[0] ?? context.newPage();
    },
    close,
  };
};

/** Waits for a page that the worker has answered. */
export const answered = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Reset this demo' }).waitFor();

export const logInTo = async (page: Page, base: string, name: string): Promise<void> => {
  await page.goto(`${base}login`);
  await answered(page);
  await page.getByRole('button', { name: `Log in as ${name}` }).click();
  await page.getByRole('button', { name: 'Log out' }).waitFor();
};

/** The status of a request of a script on a page that may send some, and its body. */
export const request = (page: Page, path: string, init: object = {}): Promise<readonly [number, string]> =>
  page.evaluate<readonly [number, string]>(`(async () => {
    const response = await fetch(${JSON.stringify(path)}, ${JSON.stringify(init)});
    return [response.status, await response.text()];
  })()`);

/** Stops all workers, as browsers do after some seconds without a request. */
export const stopWorkers = async (page: Page): Promise<void> => {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('ServiceWorker.enable');
  await devTools.send('ServiceWorker.stopAllWorkers');
  await devTools.detach();
};

/** A request with a body of JSON. */
export const controls = (body: object) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});
