/** The browser tests, apart from the others: they need a Chromium. */
export default {
  files: ['test/browser/**/*.test.ts'],
  typescript: { rewritePaths: { 'test/': 'build/test/' }, compile: false },
  nodeArguments: ['--enable-source-maps'],
  timeout: '3m',
};
