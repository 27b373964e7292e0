/** The tests behind a connection pooler, apart from the others because they need a pgbouncer. */
export default {
  files: ['test/pooler/**/*.test.ts'],
  typescript: { rewritePaths: { 'test/': 'build/test/' }, compile: false },
  nodeArguments: ['--enable-source-maps'],
  concurrency: 1,
  serial: true,
  // Only a test that hangs takes this long, even on a busy machine.
  timeout: '10m',
};
