/** The tests behind a reverse proxy, apart from the others because they need an nginx. */
export default {
  files: ['test/proxy/**/*.test.ts'],
  typescript: { rewritePaths: { 'test/': 'build/test/' }, compile: false },
  nodeArguments: ['--enable-source-maps'],
  concurrency: 1,
  serial: true,
  // Only a test that hangs takes this long, even on a busy machine.
  timeout: '10m',
};
