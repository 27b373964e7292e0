/** All tests but those that need a program which not every machine has. */
export default {
  files: ['test/**/*.test.ts', '!test/browser/**', '!test/pooler/**'],
  typescript: { rewritePaths: { 'test/': 'build/test/' }, compile: false },
  nodeArguments: ['--enable-source-maps'],
  timeout: '3m',
};
