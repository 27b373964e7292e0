/**
 * A folder of `src` to mutate, and the tests that cover it: folders and files of `test`, unit tests first.
 */
export type Room = Readonly<{ folder: string; tests: readonly string[] }>;

/** Only tests that run in this process: a run takes seconds, and one mutant needs one run. */
export const rooms: Readonly<Record<string, Room>> = {
  contract: {
    folder: 'contract',
    tests: [
      ...['contract/contract', 'contract/codecs', 'contract/times', 'records/', 'fixtures/read-'],
      ...['operations/', 'protocol/', 'http/api.', 'openapi/'],
    ],
  },
  records: {
    folder: 'records',
    tests: ['records/', 'storage/memory/', 'fixtures/', 'accounts/', 'http/api.'],
  },
  fixtures: { folder: 'fixtures', tests: ['fixtures/', 'http/api.'] },
  memory: { folder: 'storage/memory', tests: ['storage/memory/', 'http/api.', 'web/sign-up'] },
  accounts: { folder: 'accounts', tests: ['accounts/', 'web/'] },
  operations: {
    folder: 'operations',
    tests: [
      'operations/',
      'model/',
      'protocol/',
      'service/',
      'http/api.',
      'http/broken-records',
      'http/storage-failures',
    ],
  },
  http: { folder: 'http', tests: ['http/', 'server/start-server'] },
};
