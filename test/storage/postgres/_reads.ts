import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { PresentedCredentials, Storage } from '../../../src/storage/port.js';

/** Reads of the API by name. */
export type Reads = Readonly<Record<string, (storage: Storage) => TaskEither<unknown, unknown>>>;

/** The first page of every row. */
export const everything = { repoId: undefined, status: undefined, offset: 0, limit: 100 };

/** Every statement that reads, on every kind of page, for the tenant `acme` of the conformance suite. */
export const readsBy = (credentials: PresentedCredentials): Reads => ({
  repos: (storage) => storage.repos(credentials),
  findings: (storage) => storage.findings(credentials, everything),
  'findings, second page': (storage) => storage.findings(credentials, { ...everything, offset: 2, limit: 2 }),
  'findings beyond the last': (storage) => storage.findings(credentials, { ...everything, offset: 900 }),
  'findings of a repo': (storage) => storage.findings(credentials, { ...everything, repoId: 'api' }),
  finding: (storage) => storage.finding(credentials, 'd1'),
  'no finding': (storage) => storage.finding(credentials, 'nope'),
  prs: (storage) => storage.prs(credentials, everything),
  'open prs': (storage) => storage.prs(credentials, { ...everything, status: 'open' }),
  'prs of a repo': (storage) => storage.prs(credentials, { ...everything, repoId: 'api' }),
  'open prs of a repo': (storage) =>
    storage.prs(credentials, { ...everything, repoId: 'web', status: 'open', limit: 1 }),
});

/** What a storage answers to reads, one after the other. */
export const answersOf = async (
  storage: Storage,
  reads: Reads,
): Promise<Readonly<Record<string, unknown>>> => {
  const answers: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(reads)) answers[name] = await read(storage)();
  return answers;
};
