import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import test from 'ava';
import { operations } from '../../src/contract/operations.js';
import { exampleTenant } from '../../src/openapi/operation-object.js';
import { cookie, type TestLife } from '../_server.js';
import { freePort } from '../postgres/_embedded.js';
import { type JudgedServer, promiseText, startJudgedServer } from './_judged-server.js';
import { tools } from './_tools.js';

/** Starts Prism between a client and a server: its address. It adds what breaks the document to responses. */
const startProxy = async (
  life: TestLife,
  { url, directory }: JudgedServer,
  document: string,
): Promise<string> => {
  const port = String(await freePort());
  const words = [tools.prism, 'proxy', document, url, '--port', port];
  const child = spawn(process.execPath, words, { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  life.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('Prism is listening')) {
      child.stdout.resume();
      return `http://127.0.0.1:${port}`;
    }
  }
  throw new Error('Prism ended before it was listening');
};

const session = cookie(exampleTenant.session);

/** Requests of each operation that keep the document, with the statuses that they get. */
const requests: readonly (readonly [target: string, init: RequestInit, answer: string])[] = [
  ['/api/v1/repos', session, 'listConnectedRepos 200'],
  ['/api/v1/findings', session, 'listFindings 200'],
  [
    '/api/v1/findings?page=1&limit=25&repoId=repo_storefront&severity=high&status=drafting',
    session,
    'listFindings 200',
  ],
  ['/api/v1/findings?page=9007199254740991&limit=100', session, 'listFindings 200'],
  ['/api/v1/findings/fix_0001', session, 'getFinding 200'],
  ['/api/v1/findings/nope', session, 'getFinding 404'],
  ['/api/v1/prs', session, 'listPrs 200'],
  ...['open', 'merged', 'closed'].map(
    (status) => [`/api/v1/prs?limit=100&status=${status}`, session, 'listPrs 200'] as const,
  ),
  ['/api/v1/prs?pgae=2', session, 'listPrs 400'],
];

test('Prism’s proxy finds nothing that breaks the document in requests of every operation', async (t) => {
  const server = await startJudgedServer(t);
  const proxy = await startProxy(t, server, server.documentUrl);
  for (const [target, init, answer] of requests) {
    const response = await fetch(`${proxy}${target}`, init);
    t.is(response.status, Number(answer.slice(-3)), target);
    t.is(response.headers.get('sl-violations'), null, target);
  }
  const answered = await server.answered();
  for (const [, , answer] of requests) t.true(answered.has(answer), answer);
  for (const { id } of Object.values(operations)) t.true(answered.has(`${id} 200`), id);
});

test('Prism’s proxy reports each response of another type than the document promises, and a wrong request', async (t) => {
  const server = await startJudgedServer(t);
  const proxy = await startProxy(t, server, await server.changedDocument(promiseText));
  for (const path of ['repos', 'findings', 'findings/fix_0001', 'prs']) {
    const response = await fetch(`${proxy}/api/v1/${path}`, session);
    t.regex(
      response.headers.get('sl-violations') ?? '',
      /"location":\["response","body"\][^}]*must be string/,
      path,
    );
  }
  const { headers } = await fetch(`${proxy}/api/v1/prs?page=0`, session);
  t.regex(headers.get('sl-violations') ?? '', /"location":\["request","query","page"\]/);
});
