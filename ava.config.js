/** Test files in the order of how long they take: the longest ones first leave no core idle at the end. */
const longest = [
  'verify/checks/all-checks',
  'cli/serve/state',
  'cli/database',
  'documents',
  'package',
  'cli/serve/serve',
  'cli/record/record',
  'recorder/round-trip',
  'storage/postgres/schema',
  'cli/verify/verify',
  'cli/diff/diff',
];
const rank = (file) => {
  const index = longest.findIndex((name) => file.replaceAll('\\', '/').endsWith(`/${name}.test.ts`));
  return index === -1 ? longest.length : index;
};

/** All tests except those that need a program which not every machine has, and the soak runs. */
export default {
  files: [
    'test/**/*.test.ts',
    ...[
      'browser',
      'citus',
      'docs-site',
      'front-ends',
      'pooler',
      'restore',
      'proxy',
      'runners',
      'soak',
      'terminal',
      'tools',
    ].map((folder) => `!test/${folder}/**`),
  ],
  typescript: { rewritePaths: { 'test/': 'build/test/' }, compile: false },
  nodeArguments: ['--enable-source-maps'],
  // Many tests start processes, each of which takes a core: two files at a time.
  concurrency: 2,
  sortTestFiles: (left, right) => rank(left) - rank(right) || (left < right ? -1 : 1),
  // Only a test that hangs takes this long, even on a busy machine.
  timeout: '10m',
};
