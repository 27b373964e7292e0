import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { exampleFiles } from '../_examples.js';
import { freePort } from '../postgres/_embedded.js';
import { recipeProject, sh } from './_recipe-project.js';

const example = exampleFiles('contract-test');
const workflow = example['.github/workflows/contract.yml'] ?? '';

/** The commands of the steps, in their order. */
const commands = Array.from(workflow.matchAll(/^\s+(?:- )?run: (.*)$/gm), ([, command = '']) => command);

test('the steps of the workflow judge a server, and fail where it does not keep the contract', async (t) => {
  const [install, ...steps] = commands;
  t.is(install, 'npm ci');
  t.is(steps.length, 3);
  const project = await recipeProject(t, example);
  const port = String(await freePort());
  const steppedThrough = async (token: string): Promise<readonly (number | null)[]> => {
    const codes: (number | null)[] = [];
    for (const command of steps) {
      const environment = { PORT: port, SESSION: 'acme-session', TOKEN: token };
      const { code, out } = await sh(t, project, command, environment);
      t.log(out.slice(-500));
      codes.push(code);
    }
    return codes;
  };
  t.deepEqual(await steppedThrough('acme-token'), [0, 0, 0]);
  t.regex(await readFile(join(project, 'contract.xml'), 'utf8'), /<testsuite/);
  // The server of before still has the port; with a token of nobody, the last step fails.
  t.deepEqual((await steppedThrough('of-nobody')).at(-1), 2);
});
