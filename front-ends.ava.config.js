/** The tests with development servers, apart from the others because these are installed by themselves. */
export default {
  files: ['test/front-ends/*.test.ts'],
  typescript: { rewritePaths: { 'test/': 'build/test/' }, compile: false },
  nodeArguments: ['--enable-source-maps'],
  concurrency: 1,
  serial: true,
  // Only a test that hangs takes this long, even on a busy machine.
  timeout: '10m',
};
