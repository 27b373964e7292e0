import test from 'ava';
import { transform } from 'esbuild';
import { block, documentText } from '../_documented.js';
import { exampleFiles } from '../_examples.js';
import { projectWith } from '../_package.js';
import { forJest, run, withEsm } from './_run.js';
import { addRunners, runners } from './_runners.js';

test('the recipe with builders passes with Vitest and Jest', async (t) => {
  const example = exampleFiles('react-app')['findings.test.ts'] ?? '';
  const { code: compiled } = await transform(forJest(example), { loader: 'ts', target: 'node20' });
  const project = await projectWith(t, {
    'vitest.test.ts': example,
    'jest.test.mjs': compiled,
    'package.json': block(documentText('testing.md'), 'json jest'),
  });
  await addRunners(project);
  for (const [words, passed] of [
    [[runners.vitest, 'run', 'vitest'], /Tests {2}2 passed \(2\)/],
    [[withEsm, runners.jest, '/jest'], /^Tests: +2 passed, 2 total$/m],
  ] as const) {
    const { code, out } = await run(project, ...words);
    t.is(code, null, out);
    t.regex(out, passed);
  }
});
