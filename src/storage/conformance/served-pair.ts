import { AssertionError } from 'node:assert/strict';
import type { Dataset } from '../../records/dataset.js';
import type { Storage } from '../port.js';
import { delegatingStorage } from './delegating-storage.js';
import { referenceStorage } from './reference-storage.js';
import { differenceOf, parsed } from './response-difference.js';
import { serveStorage } from './serve-storage.js';

/** The number of requests that are sent at the same time, so that a remote storage takes less time. */
const inFlight = 4;

/** Two servers of the API, one over the storage that is checked and one over the reference storage. */
export type ServedPair = Readonly<{
  /** Puts a storage, and a reference storage with its tenants, behind the servers. */
  use: (candidate: Storage, datasets: readonly Dataset[]) => void;
  /**
   * Sends the same requests to both and asserts that status and bytes are equal. Returns the bodies in the
   * order of the requests.
   */
  assertSameBytes: (session: string, paths: readonly string[]) => Promise<readonly string[]>;
  stop: () => Promise<void>;
}>;

/** A response that has other bytes than the contract requires, with the request that it answers. */
export class WrongResponse extends AssertionError {
  readonly path: string;

  constructor(path: string, message: string, actual: unknown, expected: unknown) {
    super({ message, actual, expected });
    this.path = path;
  }
}

/** Starts the two servers. Starting them once for many storages saves most of the time of a case. */
export const servedPair = async (): Promise<ServedPair> => {
  const [candidate, reference] = [delegatingStorage(), delegatingStorage()];
  const servers = [await serveStorage(candidate.storage), await serveStorage(reference.storage)] as const;
  const compare = async (path: string, session: string): Promise<string> => {
    const headers = { Cookie: `session=${session}` };
    const [actual, expected] = await Promise.all([
      servers[0].get(path, headers),
      servers[1].get(path, headers),
    ]);
    const difference = differenceOf(actual, expected);
    if (difference === null) return actual.text;
    const errors = servers[0].takeErrors().map((error) => `\nthe server logged: ${error}`);
    throw new WrongResponse(
      path,
      `GET ${shortPath(path)} as ${session}\n${difference}${errors.slice(0, 2).join('')}`,
      parsed(actual.text),
      parsed(expected.text),
    );
  };
  return {
    use: (storage, datasets) => {
      candidate.use(storage);
      reference.use(referenceStorage(datasets));
    },
    assertSameBytes: async (session, paths) => {
      const bodies: string[] = [];
      for (let i = 0; i < paths.length; i += inFlight) {
        const results = await Promise.allSettled(
          paths.slice(i, i + inFlight).map((path) => compare(path, session)),
        );
        for (const result of results) {
          if (result.status === 'rejected') throw result.reason;
          bodies.push(result.value);
        }
      }
      return bodies;
    },
    stop: async () => {
      for (const { stop } of servers) await stop();
    },
  };
};

const shortPath = (path: string): string => (path.length > 300 ? `${path.slice(0, 300)}…` : path);
