/** The tests with shells, terminals and readers of manual pages, apart from the others because they need these programs. */
export default {
  files: ['test/terminal/**/*.test.ts'],
  typescript: { rewritePaths: { 'test/': 'build/test/' }, compile: false },
  nodeArguments: ['--enable-source-maps'],
  concurrency: 2,
  // Only a test that hangs takes this long, even on a busy machine.
  timeout: '10m',
};
