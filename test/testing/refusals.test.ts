import test from 'ava';
import { json } from '../pages/_browserless.js';
import { throughBothDoors } from './_doors.js';
import { now } from './_pair.js';

const bearer = (token: string): RequestInit => ({ headers: { Authorization: `Bearer ${token}` } });
const logIn = { email: 'dana@acme.test', password: 'acme-password' };
const warningOf = ({ headers }: Response) => headers.get('x-triage-warning');

test(
  'a 401 says which credentials the request lacks, and the body stays that of the contract',
  throughBothDoors(async (t, { ask, controls }) => {
    const lacks = (what: string) =>
      `the request has ${what}: a page of another origin sends the cookie with credentials 'include'`;
    for (const [path, init, warning] of [
      ['/api/v1/repos', {}, lacks('no session cookie')],
      ['/session', {}, lacks('no session cookie')],
      ['/api/v1/prs', {}, lacks('neither a session cookie nor a bearer token')],
      [
        '/api/v1/prs',
        { headers: { Authorization: 'Basic x' } },
        lacks('neither a session cookie nor a bearer token'),
      ],
      [
        '/api/v1/repos',
        bearer(controls.token),
        'listConnectedRepos reads no API token, only the session cookie',
      ],
      ['/session', bearer(controls.token), 'GET /session reads no API token, only the session cookie'],
    ] as const) {
      const answer = await ask(path, init, null);
      t.deepEqual([answer.status, warningOf(answer)], [401, warning], path);
      t.is(await answer.text(), '{"error":"Unauthorized"}');
    }
    t.is(controls.requests().at(-1)?.warning, 'GET /session reads no API token, only the session cookie');
  }),
);

test(
  'a 401 says how a session has ended, and by which clock, or that this server has never given it out',
  throughBothDoors(async (t, { ask, controls }) => {
    const refused = async (session: string) => {
      const answer = await ask('/session', {}, session);
      t.is(answer.status, 401);
      return warningOf(answer);
    };
    t.regex(
      String(await refused('of-another-app')),
      /^the session was never given out by this server since its start: another .* all ports of localhost share$/,
    );
    const answer = await ask('/login', json(logIn), null);
    const [, own = ''] = /session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
    await ask('/logout', { method: 'POST' }, own);
    t.is(await refused(own), `the session was ended on ${now} by a logout, another login or a new password`);
    await ask('/logout', { method: 'POST' });
    t.is(
      await refused(controls.session),
      `the session was ended on ${now} by a logout, another login or a new password`,
    );
    const { name, session, clock } = await controls.createTenant();
    await clock.advance('8d');
    t.is(
      await refused(session),
      'the session ended on 2026-11-27T12:00:00.000Z; the clock of its tenant says 2026-11-28T12:00:00.000Z',
    );
    await controls.removeTenant(name);
    t.is(await refused(session), 'the session ended with its tenant, which was made on demand');
  }),
);

test(
  'a 401 says how an API token has ended',
  throughBothDoors(async (t, { ask }) => {
    const refused = async (token: string) => warningOf(await ask('/api/v1/prs', bearer(token), null));
    t.is(await refused('triage_none'), 'the API token was never given out by this server');
    const { id, token } = Object(await (await ask('/settings/api-tokens', json({ name: 'mine' }))).json());
    t.is((await ask('/api/v1/prs', bearer(token), null)).status, 200);
    await ask(`/settings/api-tokens/${id}/revoke`, { method: 'POST' });
    t.is(await refused(token), `the API token was revoked on ${now}; the clock of this server says ${now}`);
    const both = await ask('/api/v1/prs', bearer('triage_none'), 'none');
    t.regex(
      String(warningOf(both)),
      /^the session was never .*; the API token was never given out by this server$/,
    );
  }),
);

test(
  'a wrong password and a simulated 401 have no such reason',
  throughBothDoors(async (t, { ask }) => {
    const wrong = await ask('/login', json({ ...logIn, password: 'wrong' }), null);
    t.deepEqual([wrong.status, warningOf(wrong)], [401, null]);
    const simulated = await ask('/api/v1/prs', { headers: { Prefer: 'code=401' } }, null);
    t.deepEqual([simulated.status, warningOf(simulated)], [401, null]);
  }),
);
