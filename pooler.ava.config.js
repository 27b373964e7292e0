/** The tests behind a pooler of connections, apart from the others: they need a pgbouncer. */
export default {
  files: ['test/pooler/**/*.test.ts'],
  typescript: { rewritePaths: { 'test/': 'build/test/' }, compile: false },
  nodeArguments: ['--enable-source-maps'],
  timeout: '3m',
};
