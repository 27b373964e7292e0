/** The tests with tools of others, apart from the others because the tools are installed apart. */
export default {
  files: ['test/tools/**/*.test.ts'],
  typescript: { rewritePaths: { 'test/': 'build/test/' }, compile: false },
  nodeArguments: ['--enable-source-maps'],
  // Each test starts a server and a tool, each of which takes a core.
  concurrency: 2,
  serial: true,
  // Only a test that hangs takes this long, even on a busy machine.
  timeout: '10m',
};
