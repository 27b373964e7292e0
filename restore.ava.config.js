/** The tests of backups, apart from the others because they need the programs of an installed PostgreSQL. */
export default {
  files: ['test/restore/**/*.test.ts'],
  typescript: { rewritePaths: { 'test/': 'build/test/' }, compile: false },
  nodeArguments: ['--enable-source-maps'],
  concurrency: 1,
  // Only a test that hangs takes this long, even on a busy machine.
  timeout: '10m',
};
