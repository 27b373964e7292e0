import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { node, projectWith, typeProblems } from '../_package.js';

const consumer = `
import { type CreatedTenant, type FetchHandler, fetchHandler, type FixtureData, TriageApiError } from 'triage-api/fetch-handler';
import { type TenantOptions, type TriageHandlers, triageHandlers } from 'triage-api/msw';

const fixture: FixtureData = { findings: [{ repo: 'acme/web', package: 'lodash', severity: 'high' }] };
const handle: FetchHandler = fetchHandler([fixture], { session: true, now: new Date(0), delay: 1, basePath: '/x' });
export const answer: Promise<Response> = handle(new Request('http://localhost/x/api/v1/findings'));
export const names: readonly string[] = handle.tenants.map(({ name }) => name);
export const statuses: number[] = handle.requests({ operation: 'listPrs' }).map(({ status }) => status);
export const changed: Promise<void> = handle.patch('fixDrafts', 'x', { status: 'resolved' });
export const handlers: TriageHandlers = triageHandlers(fixture, { session: 'tenant', baseUrl: 'https://a.test' });
handlers.faults.add({ code: 503, times: 1 });
const options: TenantOptions = { fixture, ids: 'fresh', ttl: '1h' };
export const made: Promise<CreatedTenant> = handlers.createTenant(options);
export const ended: Promise<boolean> = handle.removeTenant('x');
export const isKnown = (error: unknown): boolean => error instanceof TriageApiError;
`;

const wrong = `
import { fetchHandler } from 'triage-api/fetch-handler';
import { triageHandlers } from 'triage-api/msw';

fetchHandler({}, { port: 1 });
triageHandlers({}, { basePath: '/x' });
fetchHandler({}).patch('repos', 'x', { nope: 1 });
`;

const strict = { strict: true, noEmit: true, skipLibCheck: true, target: 'es2023' };

test('both entries have types, in programs for Node and in those for browsers', async (t) => {
  const project = await projectWith(t, { 'consumer.ts': consumer }, ['msw', '@types/node']);
  for (const options of [
    { ...strict, module: 'nodenext', types: ['node'] },
    {
      ...strict,
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
    },
  ]) {
    t.is(await typeProblems(project, options), '');
  }
  await writeFile(join(project, 'consumer.ts'), wrong);
  const problems = await typeProblems(project, { ...strict, module: 'nodenext', types: ['node'] });
  t.deepEqual(
    problems.match(/'(?:port|basePath|nope)' does not exist/g),
    ['port', 'basePath', 'nope'].map((name) => `'${name}' does not exist`),
    problems,
  );
});

test('the handler needs no other package, and a program that has used it ends by itself', async (t) => {
  const script = `
    import { fetchHandler } from 'triage-api/fetch-handler';
    import acme from 'triage-api/fixtures/acme.json' with { type: 'json' };
    const handle = fetchHandler(acme, { session: true, scenario: [{ at: '1h', patch: {} }] });
    const { status } = await handle(new Request('http://localhost/api/v1/repos'));
    void handle(new Request('http://localhost/api/v1/repos', { headers: { Prefer: 'hang' } }));
    console.log(status);
    await import('triage-api/msw').catch(({ code }) => console.log(code));
  `;
  const project = await projectWith(t, { 'script.js': script });
  t.regex(await node(project, '--no-warnings', 'script.js'), /^200\nERR_MODULE_NOT_FOUND\n$/);
});
