import { writeFile } from 'node:fs/promises';
import { headerDocs } from '../src/contract/response-docs.js';
import type { Example, ExamplesByStatus } from '../src/openapi/examples.js';
import { startTriageApi } from '../src/testing/server.js';

/**
 * Writes the examples of the OpenAPI document: responses of the server itself, over the shipped fixtures at
 * the moment for which they were written. `npm run build` runs it, after the server has been compiled.
 */
type Asked = Readonly<{
  key: string;
  title: string;
  target: string;
  method?: string;
  headers?: Readonly<Record<string, string>>;
  of?: 'usual' | 'strict' | 'broken' | 'unavailable';
}>;

const session = (value: string): Readonly<{ headers: Record<string, string> }> => ({
  headers: { Cookie: `session=${value}` },
});
const acme = session('acme-session');
const token = { headers: { Authorization: 'Bearer acme-token' } };

/** What every operation answers when something is wrong, whatever it is asked for. */
const failures = (target: string): readonly Asked[] => [
  {
    key: 'strict',
    title: 'An unknown parameter, where the server is strict',
    target: `${target}?pgae=2`,
    ...acme,
    of: 'strict',
  },
  { key: 'unauthorized', title: 'No credentials', target },
  { key: 'fault', title: 'A fault of the server', target, ...acme, of: 'broken' },
  { key: 'unavailable', title: 'A storage that cannot be reached', target, ...acme, of: 'unavailable' },
];

const asked: Readonly<Record<string, readonly Asked[]>> = {
  listConnectedRepos: [
    { key: 'repositories', title: 'Four repositories', target: '/api/v1/repos', ...session('demo-session') },
    {
      key: 'nothing',
      title: 'Nothing connected yet',
      target: '/api/v1/repos',
      ...session('empty-session'),
    },
    ...failures('/api/v1/repos'),
  ],
  listFindings: [
    { key: 'page', title: 'The first page of two', target: '/api/v1/findings?limit=2', ...acme },
    {
      key: 'narrowed',
      title: 'A page narrowed by severity, its totals not',
      target: '/api/v1/findings?limit=5&severity=critical',
      ...acme,
    },
    { key: 'beyond', title: 'A page beyond the last', target: '/api/v1/findings?page=99', ...acme },
    {
      key: 'warned',
      title: 'A misspelt parameter, ignored with a warning',
      target: '/api/v1/findings?limit=1&sevrity=low',
      ...acme,
    },
    { key: 'refused', title: 'A parameter that does not fit', target: '/api/v1/findings?page=0', ...acme },
    ...failures('/api/v1/findings'),
  ],
  getFinding: [
    { key: 'finding', title: 'A finding', target: '/api/v1/findings/fix_0001', ...token },
    { key: 'resolved', title: 'A resolved one', target: '/api/v1/findings/fix_0003', ...token },
    { key: 'missing', title: 'No such finding of yours', target: '/api/v1/findings/nope', ...token },
    ...failures('/api/v1/findings/fix_0001'),
  ],
  listPrs: [
    { key: 'open', title: 'Open pull requests', target: '/api/v1/prs?status=open&limit=2', ...token },
    {
      key: 'closed',
      title: 'Closed ones, whose stored state may be another word or null',
      target: '/api/v1/prs?status=closed&limit=2',
      ...token,
    },
    {
      key: 'refused',
      title: 'A parameter that does not fit',
      target: '/api/v1/prs?status=cancelled',
      ...token,
    },
    ...failures('/api/v1/prs'),
  ],
};

const others: readonly Asked[] = [
  { key: 'path', title: 'A path that does not exist', target: '/api/v1/nope' },
  { key: 'method', title: 'A method that there is not', target: '/api/v1/repos', method: 'DELETE' },
];

const options = { now: '2026-11-20T12:00:00Z', strict: false };
const servers = {
  usual: await startTriageApi(options),
  strict: await startTriageApi({ ...options, strict: true }),
  broken: await startTriageApi(options),
  unavailable: await startTriageApi(options),
};
servers.broken.setStorage('broken');
servers.unavailable.setStorage('unavailable');

const exampleOf = async ({
  key,
  title,
  target,
  method = 'GET',
  headers = {},
  of = 'usual',
}: Asked): Promise<Readonly<{ status: number; example: Example }>> => {
  const response = await fetch(`${servers[of].url}${target}`, { method, headers });
  const shown = Object.keys(headerDocs).flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const request = `${method} ${target}`;
  const body = JSON.parse(await response.text());
  return {
    status: response.status,
    example: { key, title, request, headers: Object.fromEntries(shown), body },
  };
};

const byStatus = async (requests: readonly Asked[]): Promise<ExamplesByStatus> => {
  const examples: Record<string, readonly Example[]> = {};
  for (const each of requests) {
    const { status, example } = await exampleOf(each);
    examples[status] = [...(examples[status] ?? []), example];
  }
  return examples;
};

const operations: Record<string, ExamplesByStatus> = {};
for (const [id, requests] of Object.entries(asked)) operations[id] = await byStatus(requests);
const text = JSON.stringify({ operations, others: await byStatus(others) });
await writeFile('build/assets/examples.json.text.js', `export default ${JSON.stringify(text)};\n`);
await Promise.all(Object.values(servers).map(({ stop }) => stop()));
