import test from 'ava';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { at, now } from '../../_data.js';
import { bearer, cookie } from '../../_server.js';
import { aStorage } from '../../_storage.js';
import { acme } from '../_world.js';
import { ann, json, serveWeb, sessionOf } from './_browserless.js';

test('GET /session says who is signed in and until when, in JSON, and is not cached', async (t) => {
  const { ask } = await serveWeb(t);
  const session = sessionOf(await ask('/signup', json(ann)));
  for (const Accept of ['application/json', 'text/html', '*/*']) {
    const answer = await ask('/session', { headers: { Accept, Cookie: `session=${session}` } });
    t.is(answer.status, 200);
    const { user, expiresAt } = Object(answer.body);
    t.deepEqual(answer.body, {
      user: { id: user.id, email: ann.email, name: ann.name },
      expiresAt: '2026-11-27T12:00:00.000Z',
    });
    t.regex(user.id, /^usr_/);
    t.is(Date.parse(expiresAt), at(now) + 7 * 24 * 60 * 60 * 1000);
    t.is(answer.headers.get('cache-control'), 'no-store');
  }
});

test('the end of a session of the fixtures is theirs, however far away', async (t) => {
  for (const expiresAt of [
    '2026-11-20T12:00:00.001Z',
    '2026-11-21T03:04:05.678Z',
    '2026-12-24T00:00:00.000Z',
    '9999-12-31T23:59:59.999Z',
  ]) {
    const sessions = acme.sessions.map((session) => ({ ...session, expiresAt }));
    const { ask } = await serveWeb(t, { storage: aStorage([Object({ ...acme, sessions })]) });
    t.is(Object((await ask('/session', cookie('acme-cookie'))).body).expiresAt, expiresAt);
  }
});

test('GET /session is 401 without a valid session, also with a token', async (t) => {
  const { ask } = await serveWeb(t);
  for (const init of [{}, cookie('nope'), bearer('acme-token')]) {
    const answer = await ask('/session', init);
    t.deepEqual([answer.status, answer.body], [401, { error: 'Unauthorized' }]);
    t.is(answer.headers.get('cache-control'), 'no-store');
    t.regex(answer.headers.get('www-authenticate') ?? '', /^Cookie /);
  }
});

test('pages that CORS allows read /session', async (t) => {
  const { ask } = await serveWeb(t);
  const Origin = 'http://localhost:5173';
  const answer = await ask('/session', { headers: { Origin, Cookie: 'session=acme-cookie' } });
  t.is(answer.status, 200);
  t.is(answer.headers.get('access-control-allow-origin'), Origin);
  t.is(answer.headers.get('access-control-allow-credentials'), 'true');
  t.regex(answer.headers.get('vary') ?? '', /Origin/);
});

test('GET /session is 503 while the storage is down, also in between', async (t) => {
  const storage = aStorage([acme]);
  const down = TE.left({ _tag: 'StorageUnavailable', cause: 'down' } as const);
  for (const working of [0, 1, 3]) {
    let calls = 0;
    const { ask } = await serveWeb(t, {
      storage: {
        ...storage,
        caller: (credentials) => {
          calls += 1;
          return calls > working ? down : storage.caller(credentials);
        },
      },
    });
    t.is((await ask('/session', cookie('acme-cookie'))).status, 503, String(working));
  }
});

test('the end of a session is searched for once, and checked after that', async (t) => {
  const storage = aStorage([acme]);
  let calls = 0;
  const { ask } = await serveWeb(t, {
    storage: {
      ...storage,
      caller: (credentials) => {
        calls += 1;
        return storage.caller(credentials);
      },
    },
  });
  await ask('/session', cookie('acme-cookie'));
  t.true(calls > 10 && calls < 60, String(calls));
  calls = 0;
  t.is((await ask('/session', cookie('acme-cookie'))).status, 200);
  // Whether the session is valid now, just before its end and at its end.
  t.is(calls, 3);
});

test('the end of a session that fixtures change is told anew, be it earlier or later', async (t) => {
  const ending = (expiresAt: string) =>
    aStorage([Object({ ...acme, sessions: acme.sessions.map((session) => ({ ...session, expiresAt })) })]);
  const ends = ['2026-11-24T12:00:00.000Z', '2026-11-25T12:00:00.000Z', '2026-11-23T12:00:00.000Z'];
  let storage = aStorage([acme]);
  const { ask } = await serveWeb(t, {
    storage: { ...storage, caller: (credentials) => storage.caller(credentials) },
  });
  for (const expiresAt of ends) {
    storage = ending(expiresAt);
    t.is(Object((await ask('/session', cookie('acme-cookie'))).body).expiresAt, expiresAt);
  }
});
