/** All tests but those in a browser. */
export default {
  files: ['test/**/*.test.ts', '!test/browser/**'],
  typescript: { rewritePaths: { 'test/': 'build/test/' }, compile: false },
  nodeArguments: ['--enable-source-maps'],
  timeout: '3m',
};
