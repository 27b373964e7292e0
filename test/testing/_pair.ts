import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import {
  type Controls,
  type FetchHandlerOptions,
  type FixtureData,
  fetchHandler,
  type GivenFixtures,
} from '../../src/testing/fetch-handler.js';
import { startTriageApi } from '../../src/testing/server.js';

/** When the data is served, unless a test moves the clock. */
export const now = '2026-11-20T12:00:00.000Z';

/** The content of a fixture file of the package. */
export const shippedFixture = (name: string): FixtureData =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../../fixtures/${name}.json`, import.meta.url)), 'utf8'));

/** Something that answers requests for a path. */
export type Answers = (path: string, init: RequestInit) => Promise<Response>;

/** A server and a handler over the same fixtures. */
export type Pair = Readonly<{
  server: Answers;
  handler: Answers;
  /** Changes both in the same way. */
  change: (by: (controls: Controls<GivenFixtures>) => unknown) => Promise<void>;
}>;

/** Where the handler is said to be. */
export const origin = 'http://api.test';

/** Starts both, with a frozen clock. The server stops when the test ends. */
export const pairOver = async (
  t: ExecutionContext,
  fixtures: GivenFixtures,
  options: Omit<FetchHandlerOptions, 'session' | 'basePath'> = {},
  handlerOf = (given: GivenFixtures, settings: FetchHandlerOptions) => fetchHandler(given, settings),
): Promise<Pair> => {
  const server = await startTriageApi({ fixtures, now, ...options });
  t.teardown(server.stop);
  const handler = handlerOf(fixtures, { now, ...options });
  return {
    server: (path, init) => fetch(`${server.url}${path}`, { redirect: 'manual', ...init }),
    handler: (path, init) => handler(new Request(`${server.url}${path}`, init)),
    change: async (by) => {
      await by(server);
      await by(handler);
    },
  };
};

/** Headers that belong to a connection of HTTP/1.1, or say when a response was sent. */
const ofTheConnection = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding']);

/** What is made by chance, how long something took, and which state of the data it is. */
const chance =
  /[\w-]{20,}|(?:usr|tok)_[\w-]{12}|(?<="milliseconds":|class="ms">)\d+|(?<="version":"|data-version=")[^"]*/g;

/** A response as two of them are compared, or how the request failed. */
export const outcomeOf = async (answers: Answers, path: string, init: RequestInit): Promise<unknown> => {
  try {
    const response = await answers(path, init);
    const headers = Array.from(response.headers)
      .filter(([name]) => !ofTheConnection.has(name))
      // The seconds until the quota is whole again are those of the machine's clock.
      .map(([name, value]) => [name, value.replace(/(?<=^"default";r=\d+;t=)\d+/, '…')] as const)
      .filter(([name]) => response.status !== 429 || name !== 'retry-after')
      .filter(([name]) => name !== 'etag' || !path.startsWith('/explore/changes'))
      // The page shows how long requests took.
      .filter(([name]) => name !== 'content-length' || !path.startsWith('/explore/controls'))
      .map(([name, value]) => [name, name === 'set-cookie' ? value.replaceAll(chance, '…') : value] as const);
    const body = await response.text().catch((error: unknown) => nameOf(error));
    return { status: response.status, headers, body: body.replaceAll(chance, '…') };
  } catch (error) {
    return nameOf(error);
  }
};

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : String(error));
