/**
 * Tests that cover a room besides those of its own folder: beginnings of their paths below `test`. All run in
 * this process, so that they load the code that was changed.
 */
export const alsoTestedBy: Readonly<Record<string, readonly string[]>> = {
  contract: ['fixtures/read-', 'fixtures/complete-fixture.test', 'api/', 'koa/api.', 'openapi/'],
  fixtures: ['accounts/', 'koa/api.'],
  accounts: ['pages/'],
  api: ['model/', 'simulation/', 'koa/api.', 'koa/storage-failures'],
  koa: ['start/'],
  start: ['koa/'],
};
