import * as E from 'fp-ts/lib/Either.js';
import { headerDocs } from '../../src/contract/header-docs.js';
import type { Example, Examples, ExamplesByStatus } from '../../src/openapi/examples.js';
import { shippedFixtures } from '../../src/server/shipped-fixtures.js';
import { readFixtures } from '../../src/storage/fixtures/read-fixtures.js';
import { bearer, cookie, serve, type TestLife, type TestServer } from '../_server.js';
import { aStorage } from '../_storage.js';
import { corrupt, unreachable } from './_broken-storage.js';

type Asked = Readonly<{
  key: string;
  title: string;
  target: string;
  method?: string;
  init?: RequestInit;
  of?: 'usual' | 'strict' | 'unreachable' | 'corrupt';
}>;

const acme = cookie('acme-session');
const demo = cookie('demo-session');
const token = bearer('acme-token');

/** What every operation answers when something is wrong, whatever it is asked for. */
const failures = (target: string): readonly Asked[] => [
  {
    key: 'strict',
    title: 'An unknown parameter, where the server is strict',
    target: `${target}?pgae=2`,
    init: acme,
    of: 'strict',
  },
  { key: 'unauthorized', title: 'No credentials', target },
  { key: 'fault', title: 'A fault of the server', target, init: acme, of: 'corrupt' },
  { key: 'unavailable', title: 'A storage that cannot be reached', target, init: acme, of: 'unreachable' },
];

const asked: Readonly<Record<string, readonly Asked[]>> = {
  listConnectedRepos: [
    { key: 'repositories', title: 'Four repositories', target: '/api/v1/repos', init: demo },
    {
      key: 'nothing',
      title: 'Nothing connected yet',
      target: '/api/v1/repos',
      init: cookie('empty-session'),
    },
    ...failures('/api/v1/repos'),
  ],
  listFindings: [
    { key: 'page', title: 'The first page of two', target: '/api/v1/findings?limit=2', init: acme },
    {
      key: 'narrowed',
      title: 'A page narrowed by severity, its totals not',
      target: '/api/v1/findings?limit=5&severity=critical',
      init: acme,
    },
    { key: 'beyond', title: 'A page beyond the last', target: '/api/v1/findings?page=99', init: acme },
    {
      key: 'warned',
      title: 'A misspelt parameter, ignored with a warning',
      target: '/api/v1/findings?limit=1&sevrity=low',
      init: acme,
    },
    { key: 'refused', title: 'A parameter that does not fit', target: '/api/v1/findings?page=0', init: acme },
    ...failures('/api/v1/findings'),
  ],
  getFinding: [
    { key: 'finding', title: 'A finding', target: '/api/v1/findings/fix_0001', init: token },
    { key: 'resolved', title: 'A resolved one', target: '/api/v1/findings/fix_0003', init: token },
    { key: 'missing', title: 'No such finding of yours', target: '/api/v1/findings/nope', init: token },
    ...failures('/api/v1/findings/fix_0001'),
  ],
  listPrs: [
    { key: 'open', title: 'Open pull requests', target: '/api/v1/prs?status=open&limit=2', init: token },
    {
      key: 'closed',
      title: 'Closed ones, whose stored state may be another word or null',
      target: '/api/v1/prs?status=closed&limit=2',
      init: token,
    },
    {
      key: 'refused',
      title: 'A parameter that does not fit',
      target: '/api/v1/prs?status=cancelled',
      init: token,
    },
    ...failures('/api/v1/prs'),
  ],
};

const others: readonly Asked[] = [
  { key: 'path', title: 'A path that does not exist', target: '/api/v1/nope' },
  { key: 'method', title: 'A method that there is not', target: '/api/v1/repos', method: 'DELETE' },
];

/**
 * Asks the real application for every example, over the shipped fixtures at the moment for which they were
 * written.
 */
export const collectExamples = async (life: TestLife): Promise<Examples> => {
  const fixtures = await readFixtures(shippedFixtures)();
  if (E.isLeft(fixtures)) throw new Error(fixtures.left.join('\n'));
  const datasets = fixtures.right.map(({ dataset }) => dataset);
  const storage = aStorage(datasets);
  const servers = {
    usual: await serve(life, [], { storage }),
    strict: await serve(life, [], { storage, strict: true }),
    corrupt: await serve(life, [], { storage: corrupt(storage) }),
    unreachable: await serve(life, [], { storage: unreachable(storage) }),
  };
  const all = async (each: readonly Asked[]): Promise<ExamplesByStatus> => {
    const byStatus: Record<string, readonly Example[]> = {};
    for (const one of each) {
      const { status, example } = await exampleOf(servers[one.of ?? 'usual'], one);
      byStatus[status] = [...(byStatus[status] ?? []), example];
    }
    return byStatus;
  };
  const operations: Record<string, ExamplesByStatus> = {};
  for (const [id, each] of Object.entries(asked)) operations[id] = await all(each);
  return { operations, others: await all(others) };
};

const exampleOf = async (
  { ask }: TestServer,
  { key, title, target, method = 'GET', init = {} }: Asked,
): Promise<Readonly<{ status: number; example: Example }>> => {
  const { status, headers, text } = await ask(target, { ...init, method });
  const told = Object.keys(headerDocs).flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  const request = `${method} ${target}`;
  return {
    status,
    example: { key, title, request, headers: Object.fromEntries(told), body: JSON.parse(text) },
  };
};
