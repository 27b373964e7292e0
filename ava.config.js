/** All tests except those that need a program which not every machine has. */
export default {
  files: ['test/**/*.test.ts', '!test/browser/**', '!test/pooler/**'],
  typescript: { rewritePaths: { 'test/': 'build/test/' }, compile: false },
  nodeArguments: ['--enable-source-maps'],
  // Only a test that hangs takes this long, even on a busy machine.
  timeout: '10m',
};
