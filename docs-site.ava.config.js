/** The tests of the site that is built of docs/, apart from the others because its generator is installed apart. */
export default {
  files: ['test/docs-site/**/*.test.ts'],
  typescript: { rewritePaths: { 'test/': 'build/test/' }, compile: false },
  nodeArguments: ['--enable-source-maps'],
  // Only a build that hangs takes this long, even on a busy machine.
  timeout: '10m',
};
