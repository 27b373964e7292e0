import SwaggerParser from '@apidevtools/swagger-parser';
import test, { type ExecutionContext } from 'ava';
import { startTriageApi, type TriageApi } from '../../../src/testing/server.js';
import { aDraft, aRepo, aScan, aSession, aUser, now } from '../../_data.js';
import { cookie } from '../../_server.js';
import { started } from '../../testing/_start.js';
import { control } from './_control.js';

const data = {
  asOf: now,
  user: aUser('kim'),
  sessions: [aSession('kim')],
  repos: [aRepo('web')],
  scans: [aScan('scan', 'web')],
  fixDrafts: [aDraft('d1', 'web'), aDraft('d2', 'web')],
};

const serve = (t: ExecutionContext) => started(t, { fixtures: Object(data) });

const read = async (api: TriageApi, path: string) => {
  const answer = await fetch(`${api.url}/api/v1${path}`, cookie('kim'));
  return answer.status === 200 ? Object(await answer.json()) : answer.status;
};

const merge = 'application/merge-patch+json';

test('the clock is told, frozen, moved, and given back', async (t) => {
  const api = await serve(t);
  t.deepEqual(await control(api, 'GET', '/clock'), [200, { now, running: false, simulated: true }]);
  const since = async () => (await read(api, '/repos'))[0]?.lastScanRelative;
  t.is(await since(), '1 hour ago');
  t.deepEqual(await control(api, 'PUT', '/clock', { now: '2031-05-06T07:08:09Z' }), [
    200,
    { now: '2031-05-06T07:08:09.000Z', running: false, simulated: true },
  ]);
  t.is(await since(), '1 hour ago');
  t.deepEqual(await control(api, 'PUT', '/clock', { advance: 'PT2H' }), [
    200,
    { now: '2031-05-06T09:08:09.000Z', running: false, simulated: true },
  ]);
  t.is(await since(), '3 hours ago');
  const [, released] = await control(api, 'DELETE', '/clock');
  t.deepEqual([Object(released).running, Object(released).simulated], [true, false]);
  t.is(await since(), '1 hour ago');
});

test('an invalid change of the clock is refused with all its problems', async (t) => {
  const api = await serve(t);
  const [status, body] = await control(api, 'PUT', '/clock', { now: 'soon', advance: '2 hours' });
  t.is(status, 400);
  t.regex(Object(body).error, /\/now: expected a moment.*\/advance: expected a duration/);
  t.is((await control(api, 'PUT', '/clock', {}))[0], 400);
  t.is((await control(api, 'PUT', '/clock', { advance: '1h' }, 'text/plain'))[0], 415);
  t.is(api.clock.now(), now);
});

test('a patch that is invalid, of the wrong form, or for nobody changes nothing', async (t) => {
  const api = await serve(t);
  const path = '/tenants/kim/patch';
  const repos = { repos: { web: null } };
  const [status, body] = await control(api, 'POST', path, repos, merge);
  t.deepEqual(
    [status, Object(body).error.split('; ')],
    [
      400,
      [
        '/scans/0/repoId: no entry of repos has the id "web"',
        '/fixDrafts/0/repoId: no entry of repos has the id "web"',
        '/fixDrafts/1/repoId: no entry of repos has the id "web"',
      ],
    ],
  );
  t.deepEqual(await control(api, 'POST', path, [], merge), [
    400,
    { error: 'expected a merge patch (an object), got an array of 0' },
  ]);
  for (const type of ['application/json-patch+json', 'application/json'])
    t.deepEqual(await control(api, 'POST', path, repos, type), [415, { error: `Expected ${merge}` }]);
  const empty = await fetch(`${api.url}/__admin${path}`, {
    method: 'POST',
    headers: { 'Content-Type': merge },
  });
  t.deepEqual([empty.status, await empty.json()], [400, { error: 'the body is empty' }]);
  t.deepEqual(await control(api, 'POST', '/tenants/max/patch', {}, merge), [
    404,
    { error: 'There is no such tenant of a fixture or on demand: expected one of kim, got "max"' },
  ]);
  const answer = await fetch(`${api.url}/__admin${path}`, {
    method: 'POST',
    headers: { 'Content-Type': merge },
    body: `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  });
  const why = 'the body is no valid JSON, nested more than 500 levels deep, or neither an object nor a list';
  t.deepEqual([answer.status, await answer.json()], [400, { error: why }]);
  t.is((await read(api, '/repos')).length, 1);
});

test('responses say that the clock or the data was changed, until they are as they were', async (t) => {
  const api = await startTriageApi({ fixtures: Object(data) });
  t.teardown(api.stop);
  const said = async () =>
    (await fetch(`${api.url}/api/v1/repos`, cookie(api.session))).headers.get('x-triage-simulated');
  t.is(await said(), null);
  await api.clock.advance('1h');
  t.is(await said(), 'clock');
  await api.patch('fixDrafts', 'd1', { status: 'resolved' });
  t.is(await said(), 'clock, data');
  await control(api, 'DELETE', '/clock');
  t.is(await said(), 'data');
  await api.reset();
  t.is(await said(), null);
  const [, entries] = await control(api, 'GET', '/requests');
  t.deepEqual(
    Object(entries).map(({ simulated }: Record<string, unknown>) => simulated),
    [null, 'clock', 'clock, data', 'data', null],
  );
});

test('the controls have a list and an OpenAPI document, which has each of them', async (t) => {
  const api = await serve(t);
  const [, document] = await control(api, 'GET', '/openapi.json');
  await t.notThrowsAsync(SwaggerParser.validate(JSON.parse(JSON.stringify(document))));
  const { paths, servers } = Object(document);
  t.is(servers[0].url, '/__admin');
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(Object(methods)).map((method) => `${method.toUpperCase()} /__admin${path}`),
  );
  const [, list] = await control(api, 'GET', '');
  const listed = Object(list).map(({ method, path }: Record<string, string>) => `${method} ${path}`);
  t.deepEqual(documented.toSorted(), [...listed, 'GET /__admin/'].toSorted());
  t.deepEqual(Object.keys(paths['/tenants/{id}/patch'].post.requestBody.content), [merge]);
  for (const path of ['/faults', '/clock', '/tenants', '/requests'])
    t.is((await control(api, 'GET', path))[0], 200, path);
});
