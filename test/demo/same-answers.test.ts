import test from 'ava';
import { timestampAt } from '../../src/contract/codecs/timestamp.js';
import { listen } from '../cli/_cli.js';
import { contentOf, memory, opened, shippedNames } from './_demo.js';

const now = '2026-11-20T12:00:00Z';

/** What is sent as each of two tenants, or as nobody. */
const asTenants = [
  '/api/v1/repos',
  '/api/v1/findings',
  '/api/v1/findings?limit=2&page=2',
  '/api/v1/findings?severity=critical',
  '/api/v1/findings?status=escalated&severity=high',
  '/api/v1/findings?repoId=nope',
  '/api/v1/findings?limit=0',
  '/api/v1/findings?severity=x&page=y',
  '/api/v1/findings/fix_0001',
  '/api/v1/findings/nope',
  '/api/v1/prs',
  '/api/v1/prs?status=open&limit=3',
  '/api/v1/prs?page=99',
  '/session',
  '/nowhere',
  '/api/v1/nowhere',
];

const once = [
  ...['/openapi.json', '/__admin', '/__admin/openapi.json', '/__admin/faults', '/__admin/clock'],
  ...['/__admin/tenants', '/__admin/requests?status=nope', '/login/style.css', '/docs/start.js'],
  ...['/docs/page.css', '/assets/copy.js', '/assets/explore.css', '/assets/explore.js'],
];

const asForms = [
  ['POST', '/login', '{"email":"dana@acme.test","password":"wrong"}'],
  ['POST', '/login', 'not JSON'],
  ['POST', '/signup', '{"email":"x"}'],
  ['PUT', '/login', '{}'],
  ['POST', '/__admin/faults', '{"code":1}'],
  ['DELETE', '/__admin/faults/nope', ''],
  ['PUT', '/__admin/clock', '{"now":"x"}'],
  ['POST', '/__admin/tenants/nope/patch', '{}'],
] as const;

/** Headers that differ for a reason: the id of a request, and what only a connection has. */
const asideOf = new Set(
  'x-request-id connection date keep-alive content-length transfer-encoding'.split(' '),
);

const comparable = async (answer: Response) => {
  const headers = Array.from(answer.headers).filter(([name]) => !asideOf.has(name));
  return { status: answer.status, headers: headers.toSorted(), body: await answer.text() };
};

test('a demo answers like a server at the same moment, byte for byte', async (t) => {
  const options = `--now ${now} --mutable-demo --no-compression --base-path /x/y --log-level silent`;
  const { url } = await listen(t, options.split(' '));
  const content = await contentOf((await shippedNames()).toSorted(), { now: timestampAt(Date.parse(now)) });
  const demo = await opened(content, memory().store);
  const requests: (readonly [path: string, init: RequestInit])[] = [];
  for (const credentials of [{ Cookie: 'session=acme-session' }, { Cookie: 'session=boundary-session' }, {}])
    for (const path of asTenants) requests.push([path, { headers: { Accept: '*/*', ...credentials } }]);
  for (const path of once) requests.push([path, { headers: { Accept: '*/*' } }]);
  for (const [method, path, body] of asForms)
    requests.push([
      path,
      {
        method,
        headers: { Accept: '*/*', 'Content-Type': 'application/json' },
        ...(body !== '' && { body }),
      },
    ]);
  t.true(requests.length >= 60, String(requests.length));
  for (const [path, init] of requests) {
    const ofServer = await comparable(await fetch(`${url}${path}`, init));
    t.deepEqual(await comparable(await demo.send(path, init)), ofServer, `${init.method ?? 'GET'} ${path}`);
  }
});
