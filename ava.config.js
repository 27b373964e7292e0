/**
 * The one configuration of all tests. `test/main.ts` names in TEST_PART what it runs, and in TEST_GROUPS whether
 * in files that import a number of test files each, because loading the program takes longer than most files'
 * tests. Without them, `npx ava test/koa/api.test.ts` runs what is named.
 */
const { TEST_PART: part, TEST_GROUPS: groups } = process.env;

const selection = groups
  ? { files: [`build/test/groups/${part}/*.test.js`] }
  : {
      files: [`test/${part ?? ''}/**/*.test.ts`],
      typescript: { rewritePaths: { 'test/': 'build/test/' }, compile: false },
    };

export default {
  ...selection,
  serial: part !== undefined,
  nodeArguments: ['--enable-source-maps'],
  // Only a test that hangs takes this long, even on a busy machine.
  timeout: '10m',
};
