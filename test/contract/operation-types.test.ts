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
import type { ApiDependencies, Handler, ReadError } from '../../src/http/operations/handlers.js';
import { handlers } from '../../src/http/operations/handlers.js';
import { pageOfRows } from '../../src/http/operations/handlers.js';
import { Content, type Rendered, render, renderError, renderList } from '../../src/http/operations/rendered.js';
import { findingView } from '../../src/http/operations/views.js';
import { UnauthorizedBody } from '../../src/contract/error-bodies.js';
import { Finding, FindingPage } from '../../src/contract/finding.js';
import { operations } from '../../src/contract/operations.js';
import { Pr, PrPage } from '../../src/contract/pr.js';
import { Repo, RepoList } from '../../src/contract/repo.js';
import { createClient } from '../../src/client/client.js';
import { type SimulatedBody, simulatedResponse } from '../../src/http/operations/simulated-body.js';
import { type EndpointDependencies, endpoint } from '../../src/http/operations/endpoint.js';
declare const dependencies: EndpointDependencies & ApiDependencies;
declare const page: Readonly<{ rows: readonly never[]; total: number }>;
declare const client: ReturnType<typeof createClient>;
const api = handlers(dependencies);
const { listFindings } = operations;
const findings = { view: findingView, nameOf: ({ id }: Finding) => id };
const request = { page: 1, limit: 25 };
export const used = [
  Content, renderError, renderList, render, pageOfRows, findings, page, request, listFindings, api, client,
  Repo, RepoList, Pr, PrPage, FindingPage, UnauthorizedBody, endpoint, simulatedResponse,
];
export type Used = SimulatedBody | Promise<E.Either<ReadError, Rendered<typeof Finding>>> | Handler<typeof listFindings, ReadError>;
`;

const right = [
  'endpoint(dependencies, listFindings, api.listFindings);',
  'endpoint(dependencies, { ...listFindings, responses: { ...listFindings.responses, 200: FindingPage } }, api.listFindings);',
  'pageOfRows(listFindings.responses[200], findings, page, request);',
  'client.listFindings({ severity: "high", limit: 10, status: undefined });',
  'client.allFindings({ severity: "high" });',
  'client.getFinding("fix_1");',
];

const wrong: Readonly<Record<string, string>> = {
  'an operation that declares the body of another operation':
    'endpoint(dependencies, { ...listFindings, responses: { ...listFindings.responses, 200: RepoList } }, api.listFindings);',
  'an operation that declares a list of its items instead of a page':
    'endpoint(dependencies, { ...listFindings, responses: { ...listFindings.responses, 200: Finding } }, api.listFindings);',
  'the handler of another operation': 'endpoint(dependencies, listFindings, api.listPrs);',
  'an operation that forgets 404, which its handler fails with':
    'const { 404: _, ...responses } = operations.getFinding.responses; endpoint(dependencies, { ...operations.getFinding, responses }, api.getFinding);',
  'an operation that forgets 503':
    'const { 503: _, ...responses } = listFindings.responses; endpoint(dependencies, { ...listFindings, responses }, api.listFindings);',
  'an operation that forgets 401':
    'const { 401: _, ...responses } = listFindings.responses; endpoint(dependencies, { ...listFindings, responses }, api.listFindings);',
  'an error body that is not one':
    'endpoint(dependencies, { ...listFindings, responses: { ...listFindings.responses, 503: Finding } }, api.listFindings);',
  'a page of one resource made of items of another':
    'pageOfRows(operations.listPrs.responses[200], findings, page, request);',
  'a list of repositories made of rendered findings':
    'export const f = (items: readonly Rendered<typeof Finding>[]) => renderList(RepoList, items);',
  'a handler that answers with an error body':
    'export const h: Handler<typeof listFindings, ReadError> = async () => E.right(renderError(UnauthorizedBody, ""));',
  'a handler that answers with JSON that no codec has passed':
    'export const h: Handler<typeof listFindings, ReadError> = async () => E.right({ json: "[]" });',
  'a handler that answers with a class of its own':
    'class Own extends Content { declare readonly codec: typeof FindingPage; json = "[]"; } export const r: Rendered<typeof FindingPage> = new Own("[]");',
  'a handler that answers with a simulated response':
    'export const h: Handler<typeof listFindings, ReadError> = async () => E.right(simulatedResponse(502, {}, null).body);',
  'a simulated body that the simulation has not made':
    'export const b: SimulatedBody = { type: "text/html", text: "<h1>Bad gateway</h1>" };',
  'a simulated body of a class of its own':
    'class Own extends Content { type = "text/html"; text = ""; } export const b: SimulatedBody = new Own("");',
  'a handler that fails with what the API does not know':
    'endpoint(dependencies, listFindings, async () => ({ _tag: "Left" as const, left: { _tag: "Nonsense" as const } }));',
  'a view that lacks a field':
    'pageOfRows(listFindings.responses[200], { ...findings, view: ({ id }: { id: string }) => ({ id }) }, page, request);',
  'a client call with a parameter of another operation': 'client.listPrs({ severity: "high" });',
  'a client call with a value outside of an enum': 'client.listFindings({ severity: "severe" });',
  'a client call without the path parameter': 'client.getFinding();',
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
