import test from 'ava';
import { newApiToken } from '../../src/accounts/sessions-and-tokens.js';
import type { AccessLogEntry } from '../../src/koa/access-log.js';
import { announced, raw, talk } from '../_raw.js';
import { bearer, cookie, serve } from '../_server.js';
import { acme } from './_world.js';

const session = cookie('acme-cookie');

/** What entries about requests of nobody have in common. */
const anonymous = { trace: null, milliseconds: 0, tenantId: null, address: '127.0.0.1' };

const withoutId = (entries: readonly AccessLogEntry[]) => entries.map(({ requestId: _, ...entry }) => entry);

test('each request has one entry in the access log, without the values of unknown parameters', async (t) => {
  const { ask, accessed, untilAccessed } = await serve(t, [acme]);
  await ask('/api/v1/findings?limit=2&token=hunter2&repoId=a%20b', session);
  await ask('/api/v1/prs', bearer('nope'));
  await untilAccessed(2);
  t.deepEqual(withoutId(accessed), [
    {
      ...anonymous,
      method: 'GET',
      url: '/api/v1/findings?limit=2&token=…&repoId=a%20b',
      operation: 'listFindings',
      status: 200,
      tenantId: 'acme',
    },
    { ...anonymous, method: 'GET', url: '/api/v1/prs', operation: 'listPrs', status: 401 },
  ]);
});

test('a client that hangs up during the delay is logged with status 499 without waiting for the delay’s end', async (t) => {
  const { url, accessed, untilAccessed } = await serve(t, [acme], { delay: () => 60_000 });
  const { shows, hangUp } = talk(url, announced('/api/v1/repos', 'acme-cookie'));
  await shows(/100 Continue/);
  hangUp();
  await untilAccessed(1);
  t.deepEqual(withoutId(accessed), [
    { ...anonymous, method: 'GET', url: '/api/v1/repos', operation: 'listConnectedRepos', status: 499 },
  ]);
});

test('the access log names the operation of the API, or the route, and no path that clients make up', async (t) => {
  const { ask, accessed, untilAccessed } = await serve(t, [acme]);
  const requests = [
    ['GET', '/api/v1/findings/anything', 'getFinding'],
    ['HEAD', '/api/v1/repos', 'listConnectedRepos'],
    ['GET', '/login', 'GET /login'],
    ['HEAD', '/login', 'GET /login'],
    ['POST', '/settings/api-tokens/anything/revoke', 'POST /settings/api-tokens/:id/revoke'],
    ['GET', '/explore/findings/d1?secret=x', 'GET /explore/findings/:id'],
    ['GET', '/readyz', 'GET /readyz'],
    ['GET', '/elsewhere', 'other'],
    ['DELETE', '/api/v1/repos', 'other'],
  ] as const;
  for (const [method, path] of requests) await ask(path, { ...session, method });
  await untilAccessed(requests.length);
  t.deepEqual(
    accessed.map(({ operation }) => operation),
    requests.map(([, , operation]) => operation),
  );
});

test('no secret in the target of a request is logged, wherever it was put, also if the target is refused', async (t) => {
  const { url, accessed, untilAccessed } = await serve(t, [acme]);
  const secret = newApiToken();
  const logged = [
    [`/${secret}`, '/…'],
    [`/api/v1/findings/${secret}`, '/api/v1/findings/…'],
    [`/api/v1/findings?repoId=${secret}`, '/api/v1/findings?repoId=…'],
    [`/?${secret}`, '/?…=…'],
    ['ftp://ann:hunter2@x/', '/x/'],
    ['//ann:hunter2@x/y', '/x/y'],
  ] as const;
  for (const [target] of logged)
    await raw(url, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await untilAccessed(logged.length);
  t.deepEqual(
    accessed.map((entry) => entry.url),
    logged.map(([, shown]) => shown),
  );
});
