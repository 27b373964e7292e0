import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { shippedFixtures } from '../../src/server/shipped-fixtures.js';
import { listen, type Running } from '../cli/_cli.js';
import { directoryWith } from '../storage/fixtures/_directory.js';
import { visits } from './_explorer.js';

/** A copy of the shipped tenant acme, which a server watches and a page of the explorer shows. */
export type LivePage = Readonly<{
  page: Page;
  server: Running;
  /** The file as it was. */
  original: string;
  /** Replaces the file in one step, as careful editors do. */
  save: (content: string) => Promise<void>;
  visit: (path: string) => Promise<void>;
}>;

export const livePage = async (
  t: ExecutionContext,
  options: BrowserContextOptions = {},
  words: readonly string[] = [],
): Promise<LivePage> => {
  const original = await readFile(join(shippedFixtures, 'acme.json'), 'utf8');
  const directory = await directoryWith(t, { 'acme.json': original });
  const server = await listen(t, ['--fixtures', directory, ...words]);
  const { page, visit } = await visits(t, server.url, options);
  const file = join(directory, 'acme.json');
  return {
    page,
    server,
    original,
    save: async (content) => {
      await writeFile(`${file}.new`, content);
      await rename(`${file}.new`, file);
    },
    visit: (path) => visit('acme', path),
  };
};

/** A fixture with another value of a field in the first row in which the field has this one. */
export const replaced = (fixture: string, field: string, from: string, to: string): string => {
  const [before, after] = [`"${field}": ${JSON.stringify(from)}`, `"${field}": ${JSON.stringify(to)}`];
  if (!fixture.includes(before)) throw new Error(`the fixture has no ${before}`);
  return fixture.replace(before, () => after);
};
