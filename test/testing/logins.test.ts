import test from 'ava';
import { getResponse } from 'msw';
import { fetchHandler } from '../../src/testing/fetch-handler.js';
import { triageHandlers } from '../../src/testing/msw.js';
import { json as logIn } from '../pages/_browserless.js';
import { throughBothDoors } from './_doors.js';
import { now, origin, shippedFixture } from './_pair.js';

const fixtures = [shippedFixture('acme'), shippedFixture('demo')];
const form = 'application/x-www-form-urlencoded';
const dana = { email: 'dana@acme.test', password: 'acme-password' };
test('after a login, a handler with a session and its value follow the new one, and after a logout neither', async (t) => {
  const handle = fetchHandler(fixtures, { now, session: true });
  const emailOf = async (headers: Readonly<Record<string, string>> = {}) => {
    const { user } = Object(await (await handle(new Request(`${origin}/session`, { headers }))).json());
    return user?.email ?? null;
  };
  const before = handle.session;
  t.is(await emailOf(), dana.email);
  t.is((await handle(new Request(`${origin}/login`, logIn(dana)))).status, 200);
  t.not(handle.session, before);
  t.deepEqual(
    [await emailOf(), await emailOf({ cookie: `session=${handle.session}` })],
    [dana.email, dana.email],
  );
  const demo = { email: 'demo@triage.test', password: 'demo-password' };
  await handle(new Request(`${origin}/login`, logIn(demo)));
  t.is(await emailOf(), demo.email);
  await handle(new Request(`${origin}/logout`, { method: 'POST' }));
  t.is(await emailOf(), null);
  await handle.reset();
  t.is(await emailOf(), dana.email);
});

test('a client with a cookie of its own logs in for itself alone', async (t) => {
  const handle = fetchHandler(fixtures, { now, session: true });
  const init = logIn({ email: 'demo@triage.test', password: 'demo-password' });
  await handle(
    new Request(`${origin}/login`, { ...init, headers: { ...init.headers, cookie: 'session=other' } }),
  );
  t.is(Object(await (await handle(new Request(`${origin}/session`))).json()).user.email, dana.email);
});

test('a logout ends the session of a login, also where those of the fixtures go on', async (t) => {
  for (const handle of [fetchHandler(fixtures, { now }), fetchHandler(fixtures, { now, session: true })]) {
    const { headers } = await handle(new Request(`${origin}/login`, logIn(dana)));
    const [cookie = ''] = headers.getSetCookie()[0]?.split(';') ?? [];
    await handle(new Request(`${origin}/logout`, { method: 'POST', headers: { cookie } }));
    t.is((await handle(new Request(`${origin}/session`, { headers: { cookie } }))).status, 401);
  }
});

test(
  'a form that prefers JSON is answered in JSON, and every other form with a redirect',
  throughBothDoors(async (t, { ask }) => {
    const post = async (accept: string) => {
      const body = new URLSearchParams(dana);
      const { status, headers } = await ask(
        '/login',
        { method: 'POST', body, headers: { Accept: accept } },
        null,
      );
      return [status, headers.get('content-type')];
    };
    const json = [200, 'application/json; charset=utf-8'];
    t.deepEqual(await post('application/json'), json);
    t.deepEqual(await post('application/json, text/plain, */*'), json);
    t.deepEqual(await post('*/*'), [303, null]);
    t.deepEqual(await post('text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'), [303, null]);
  }),
);

test('a logout as axios sends it resolves behind Mock Service Worker', async (t) => {
  const api = triageHandlers(fixtures, { now, session: true });
  const headers = { Accept: 'application/json, text/plain, */*', 'Content-Type': form };
  const answer = await getResponse(api, new Request(`${origin}/logout`, { method: 'POST', headers }));
  t.is(answer?.status, 204);
});
