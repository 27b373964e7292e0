import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as E from '#fp-ts/Either';
import type { DemoContent, KeyedStore } from '../../src/demo/kept-state.js';
import { openDemo } from '../../src/demo/open-demo.js';
import { readFixtureFile, shippedFixtures } from '../../src/fixtures/read-fixtures.js';
import { problemLines } from '../fixtures/_problem-lines.js';

/** The shipped fixtures of these names, as a demo has them. */
export const contentOf = async (
  names: readonly string[],
  more: Partial<DemoContent> = {},
): Promise<DemoContent> => {
  const fixtures = await Promise.all(
    names.map(async (name) => {
      const read = await readFixtureFile(join(shippedFixtures, `${name}.json`));
      if (E.isLeft(read)) throw new Error(problemLines(read).join('\n'));
      return { name, dataset: read.right.dataset };
    }),
  );
  return { version: '1', fixtures, scenario: [], now: null, personas: [], ...more };
};

/** The names of all shipped fixtures. */
export const shippedNames = async (): Promise<readonly string[]> =>
  (await readdir(shippedFixtures)).filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -5));

/** What stands for the database of a browser, which copies what it keeps. */
export const memory = () => {
  const kept = new Map<string, unknown>();
  let isFull = false;
  const store: KeyedStore = {
    entries: async () => structuredClone(Array.from(kept)),
    write: async (changes) => {
      if (isFull) throw new Error('the disk is full');
      for (const [name, value] of structuredClone(changes)) {
        if (value === undefined) kept.delete(name);
        else kept.set(name, value);
      }
    },
    clear: async () => kept.clear(),
  };
  return {
    kept,
    store,
    setFull: (full: boolean) => {
      isFull = full;
    },
  };
};

const base = 'https://demo.test/x/y';

/** Opens a demo at a path, as a worker does; `at`: what the clock of the machine shows. */
export const opened = async (
  content: DemoContent,
  store: KeyedStore,
  at: () => number = () => Date.UTC(2026, 10, 20, 12),
) => {
  let isOver = false;
  const { answer } = await openDemo(JSON.parse(JSON.stringify(content)), {
    store,
    machine: at,
    elapsed: () => performance.now(),
    basePath: '/x/y',
    onEnd: () => {
      isOver = true;
    },
    newVersion: { isWaiting: () => false, takeOver: () => {} },
  });
  const send = (path: string, init: RequestInit = {}) => answer(new Request(`${base}${path}`, init));
  const post = (path: string, body: object, method = 'POST') => {
    const type = path.endsWith('/patch') ? 'application/merge-patch+json' : 'application/json';
    return send(path, { method, headers: { 'Content-Type': type }, body: JSON.stringify(body) });
  };
  const text = async (path: string, init: RequestInit = {}) => (await send(path, init)).text();
  const json = async (path: string, init: RequestInit = {}) => Object(JSON.parse(await text(path, init)));
  return { isOver: () => isOver, send, post, text, json };
};
