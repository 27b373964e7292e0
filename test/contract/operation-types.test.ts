import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';

/**
 * That the compiler holds the server to the operations: small programs, each with one mistake, that must not
 * compile, beside the right one that must. All of them are compiled in one go, as the project is.
 */
const root = fileURLToPath(new URL('../../../', import.meta.url));

const imports = `
import * as E from 'fp-ts/lib/Either.js';
import { type Handler, handlers } from '../../src/api/handlers.js';
import type { FindingNotFound, ReadError } from '../../src/api/failures.js';
import { Content, type Rendered, render, renderError } from '../../src/api/rendered.js';
import { findingView } from '../../src/api/views.js';
import { UnauthorizedBody } from '../../src/contract/error-bodies.js';
import { Finding, FindingPage } from '../../src/contract/finding.js';
import { operations } from '../../src/contract/operations.js';
import { Repo, RepoList } from '../../src/contract/repo.js';
import { createClient } from '../../src/client/client.js';
import { simulatedResponse } from '../../src/simulation/simulated-body.js';
import type { OnPurpose } from '../../src/api/response.js';
import { type EndpointDependencies, endpoint } from '../../src/api/endpoint.js';
import type { Controls } from '../../src/testing/test-controls.js';
declare const dependencies: EndpointDependencies;
declare const client: ReturnType<typeof createClient>;
declare const controls: Controls<never>;
const { listFindings, getFinding, listPrs } = handlers;
const { responses } = operations.listFindings;
type Op = typeof operations.listFindings;
export const used = [
  Content, renderError, render, findingView, listFindings, getFinding, listPrs, responses, client, controls,
  Repo, RepoList, Finding, FindingPage, UnauthorizedBody, endpoint, simulatedResponse, E, dependencies,
];
export type Used = OnPurpose | ReadError | Rendered<typeof Finding> | Handler<Op, never, FindingNotFound>;
`;

/** The handler of findings, over an operation with other responses. */
const withResponses = (over: string): string =>
  `endpoint(dependencies, { ...listFindings, operation: { ...operations.listFindings, responses: { ...responses, ${over} } } }, responses);`;

/** The handler of findings with another view. */
const withView = (view: string): string =>
  `export const h: Handler<Op, never, never> = { ...listFindings, view: ${view} };`;

const right = [
  'endpoint(dependencies, listFindings, responses);',
  withResponses('200: FindingPage'),
  'client.listFindings({ severity: "high", limit: 10, status: undefined });',
  'client.allFindings({ severity: "high" });',
  'client.getFinding("fix_1");',
  'controls.faults.add({ operation: "listFindings", code: 503 });',
  'controls.faults.add({ operation: "POST /login", code: 503, tenant: "acme", every: 3 });',
];

const wrong: Readonly<Record<string, string>> = {
  'an operation that declares the body of another operation': withResponses('200: RepoList'),
  'the view of another operation': withView('listPrs.view'),
  'the failures of an operation without 404, with which its handler fails':
    'const { 404: _, ...others } = operations.getFinding.responses; endpoint(dependencies, getFinding, others);',
  'an error body that is not one': 'endpoint(dependencies, listFindings, { ...responses, 503: Finding });',
  'a view that answers with an error body': withView('() => E.right({ error: "Unauthorized" })'),
  'a view that answers with a simulated response': withView(
    '() => E.right(simulatedResponse(502, {}, null).body)',
  ),
  'a view that fails with what the API does not know': withView(
    '() => E.left({ _tag: "Nonsense" as const })',
  ),
  'a view that lacks a field': withView(
    '() => E.right({ items: [{ id: "fix_1" }], page: 1, limit: 25, totalItems: 1, totalPages: 1 })',
  ),
  'a rendering that no codec has passed': 'export const r: Rendered<typeof FindingPage> = { json: "[]" };',
  'a rendering of another codec':
    'export const f = (error: Rendered<typeof UnauthorizedBody>): Rendered<typeof FindingPage> => error;',
  'a simulated body that the simulation has not made':
    'export const b: OnPurpose = { type: "text/html", text: "<h1>Bad gateway</h1>" };',
  'a client call with a parameter of another operation': 'client.listPrs({ severity: "high" });',
  'a client call without the path parameter': 'client.getFinding();',
  'a rule for an operation that does not exist':
    'controls.faults.add({ operation: "listFinding", code: 503 });',
  'a client call of all pages that starts with one': 'client.allFindings({ page: 2 });',
};

const names = Object.keys(wrong);
const program = (statement: string): string => `${imports}\n/* here */\n${statement}\n`;

test('the compiler refuses every wrong use of an operation', async (t) => {
  const folder = await mkdtemp(join(root, 'build', 'wrong-programs-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const files = [...right, ...Object.values(wrong)].map((statement, index) => ({
    path: join(folder, `program-${index}.ts`),
    statement,
  }));
  const firstLine = imports.split('\n').length + 1;
  await Promise.all(files.map(({ path, statement }) => writeFile(path, program(statement))));
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../tsconfig.json',
      compilerOptions: { noEmit: true, incremental: false, rootDir: '../..', noUnusedLocals: false },
      include: ['*.ts'],
      exclude: [],
    }),
  );
  const tsc = fileURLToPath(import.meta.resolve('typescript/package.json')).replace(
    /package\.json$/,
    'bin/tsc',
  );
  const output = await promisify(execFile)(process.execPath, [tsc, '-p', folder, '--pretty', 'false']).then(
    ({ stdout }) => stdout,
    (error: unknown) => String(Object(error).stdout),
  );
  const errors = Array.from(
    output.matchAll(/program-(\d+)\.ts\((\d+),\d+\): (error .*)/g),
    ([, file, line, text]) => ({
      file: Number(file),
      line: Number(line),
      text,
    }),
  );
  t.deepEqual(
    errors.filter(({ line }) => line < firstLine),
    [],
    'what the programs share compiles',
  );
  for (const [index, statement] of right.entries()) {
    t.deepEqual(
      errors.filter(({ file }) => file === index),
      [],
      statement,
    );
  }
  for (const [index, name] of names.entries()) {
    const own = errors.filter(({ file }) => file === right.length + index);
    t.not(own.length, 0, `${name} compiles`);
    t.notRegex(own.map(({ text }) => text).join('\n'), /Cannot find name/, name);
  }
});
