/** The short form of the soak runs, apart from the others because it starts many processes one after another. */
export default {
  files: ['test/soak/**/*.test.ts'],
  typescript: { rewritePaths: { 'test/': 'build/test/' }, compile: false },
  nodeArguments: ['--enable-source-maps'],
  concurrency: 2,
  // Only a test that hangs takes this long, even on a busy machine.
  timeout: '10m',
};
