import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as t from 'io-ts';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

const folder = join(root, '.github/workflows');

const Step = t.partial({
  name: t.string,
  id: t.string,
  uses: t.string,
  run: t.string,
  if: t.string,
  with: t.record(t.string, t.unknown),
  env: t.record(t.string, t.string),
});
const Job = t.intersection([
  t.type({ 'runs-on': t.string, 'timeout-minutes': t.number, steps: t.array(Step) }),
  t.partial({ needs: t.string, permissions: t.record(t.string, t.string), strategy: t.unknown }),
]);
export type Job = t.TypeOf<typeof Job>;

const Workflow = t.type({
  name: t.string,
  on: t.UnknownRecord,
  permissions: t.record(t.string, t.string),
  jobs: t.record(t.string, Job),
});
export type Workflow = t.TypeOf<typeof Workflow>;

/** The file names of all workflows. */
export const workflowNames: readonly string[] = readdirSync(folder).sort();

export const workflowText = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** A workflow, by the YAML parser of the OpenAPI parser. */
export const workflow = (name: string): Workflow => {
  const { resolve } = createRequire(import.meta.url);
  const yaml: unknown = createRequire(resolve('@apidevtools/swagger-parser'))('js-yaml');
  const parsed: unknown = Object(yaml).load(workflowText(name));
  if (!Workflow.is(parsed)) throw new Error(`${name} lacks something that every workflow has`);
  return parsed;
};
