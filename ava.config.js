/**
 * The one configuration of all tests. `test/main.ts` names in TEST_PART what it runs: a part, which is a
 * folder of `test` whose tests need more than `npm ci` brings or take long, or `main`, everything else, in files
 * that import a number of test files each. Without it, `npx ava test/koa/api.test.ts` runs what is named.
 */
const { TEST_PART: part } = process.env;
const compiled = { rewritePaths: { 'test/': 'build/test/' }, compile: false };

const inTurn = (files) => ({ files: [files], serial: true });

const selection = {
  undefined: { files: ['test/**/*.test.ts'], typescript: compiled },
  main: inTurn('build/test/groups/*.test.js'),
  quick: inTurn('build/test/groups/*.test.js'),
};

export default {
  ...(selection[part] ?? { ...inTurn(`test/${part}/**/*.test.ts`), typescript: compiled }),
  nodeArguments: ['--enable-source-maps'],
  // Only a test that hangs takes this long, even on a busy machine.
  timeout: '10m',
};
