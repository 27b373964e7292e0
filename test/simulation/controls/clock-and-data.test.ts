import SwaggerParser from '@apidevtools/swagger-parser';
import test, { type ExecutionContext } from 'ava';
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

const merge = 'application/merge-patch+json';

test('the clock control tells whether the clock runs, and whether it is that of the machine', async (t) => {
  const api = await serve(t);
  for (const [method, body, running, simulated] of [
    ['GET', undefined, false, true],
    ['PUT', { now: '2032-01-01T00:00:00Z', running: true }, true, true],
    ['PUT', { advance: '1h' }, true, true],
    ['PUT', { running: false }, false, true],
    ['DELETE', undefined, true, false],
  ] as const) {
    const [status, shown] = await control(api, method, '/clock', body);
    t.is(status, 200);
    t.like(shown, { running, simulated });
  }
});

test('an invalid change of the clock is refused with the path of each problem, and changes nothing', async (t) => {
  const api = await serve(t);
  const years = /^\/advance: the clock shows the years 0000 to 9999 only$/;
  for (const [change, problem] of [
    [{ runing: true }, /^\/runing: unknown key; did you mean "running"\?$/],
    [{}, /^give now, advance or running$/],
    [{ now, advance: '1s' }, /^\/advance: give now or advance, not both$/],
    [{ advance: '999999999999w' }, years],
    [{ advance: '-999999999999w' }, years],
    [{ now: 'soon', advance: '2 hours' }, /^\/now: expected a moment.*; \/advance: expected a duration/],
  ] as const) {
    const [status, body] = await control(api, 'PUT', '/clock', change);
    t.is(status, 400);
    t.regex(Object(body).error, problem);
  }
  t.is((await control(api, 'PUT', '/clock', { advance: '1h' }, 'text/plain'))[0], 415);
  t.is(api.clock.now(), now);
});

test('a patch that is invalid, has the wrong media type or names no tenant is refused, and changes nothing', async (t) => {
  const api = await serve(t);
  const repos = { repos: { web: null } };
  const noRepo = 'repoId: no entry of repos has the id "web"';
  const tooDeep = `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
  const noJson =
    'the body is no valid JSON, nested more than 500 levels deep, or neither an object nor a list';
  const noTenant = 'There is no such tenant of a fixture or on demand: expected one of kim, got "max"';
  for (const [tenant, body, type, status, error] of [
    ['kim', repos, merge, 400, `/scans/0/${noRepo}; /fixDrafts/0/${noRepo}; /fixDrafts/1/${noRepo}`],
    ['kim', { user: null }, merge, 400, '/user: expected user, got null'],
    ['kim', [], merge, 400, 'expected a merge patch (an object), got an array of 0'],
    ['kim', '', merge, 400, 'the body is empty'],
    ['kim', tooDeep, merge, 400, noJson],
    ['kim', repos, 'application/json-patch+json', 415, `Expected ${merge}`],
    ['kim', repos, 'application/json', 415, `Expected ${merge}`],
    ['max', {}, merge, 404, noTenant],
  ] as const) {
    const answer = await fetch(`${api.url}/__admin/tenants/${tenant}/patch`, {
      method: 'POST',
      headers: { 'Content-Type': type },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    t.deepEqual([answer.status, await answer.json()], [status, { error }]);
  }
  const answer = await fetch(`${api.url}/api/v1/repos`, cookie('kim'));
  t.is(Object(await answer.json()).length, 1);
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
});
