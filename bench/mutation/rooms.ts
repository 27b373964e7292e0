/**
 * A folder of `src` to mutate, and the tests that cover it: folders and files of `test`, unit tests first.
 */
export type Room = Readonly<{ folder: string; tests: readonly string[] }>;

/** Only tests that run in this process: a run takes seconds, and one mutant needs one run. */
export const rooms: Readonly<Record<string, Room>> = {
  codecs: {
    folder: 'codecs',
    tests: ['codecs/', 'contract/contract', 'records/', 'storage/fixtures/read-', 'api/', 'json-schema/'],
  },
  contract: {
    folder: 'contract',
    tests: ['contract/contract', 'http/api.', 'openapi/'],
  },
  records: {
    folder: 'records',
    tests: ['records/', 'storage/fixtures/', 'accounts/', 'http/api.', 'json-schema/'],
  },
  fixtures: { folder: 'storage/fixtures', tests: ['storage/fixtures/', 'http/api.', 'http/web/sign-up'] },
  accounts: { folder: 'accounts', tests: ['accounts/', 'http/web/'] },
  api: { folder: 'api', tests: ['api/', 'http/api.', 'http/broken-records', 'http/storage-failures'] },
  http: { folder: 'http', tests: ['http/', 'server/start-server'] },
};
