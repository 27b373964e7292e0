/** The tests of a distributed database, apart from the others because they need a PostgreSQL with Citus. */
export default {
  files: ['test/citus/**/*.test.ts'],
  typescript: { rewritePaths: { 'test/': 'build/test/' }, compile: false },
  nodeArguments: ['--enable-source-maps'],
  concurrency: 1,
  serial: true,
  // Only a test that hangs takes this long, even on a busy machine.
  timeout: '10m',
};
