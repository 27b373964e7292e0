import test from 'ava';
import { connectControls } from '../../src/testing/connect-controls.js';
import type { CredentialStates } from '../../src/testing/fetch-handler.js';
import { json } from '../pages/_browserless.js';
import { throughBothDoors } from './_doors.js';
import { problemsOf, started } from './_start.js';

const logIn = json({ email: 'dana@acme.test', password: 'acme-password' });

for (const [states, bySession, byToken, warning] of [
  [{ session: 'expired' }, 401, 200, /^the session ended on 2026-11-20T12:00:00.000Z/],
  [{ token: 'revoked' }, 200, 401, /^the API token was revoked by the mock controls$/],
  [{ session: 'expired', token: 'revoked' }, 401, 401, /^the session ended on /],
] as const satisfies readonly (readonly [CredentialStates, number, number, RegExp])[])
  test(
    `with ${JSON.stringify(states)}, a session is answered ${bySession}, and a token ${byToken}, until they are valid again`,
    throughBothDoors(async (t, { controls, ask }) => {
      const withToken = { headers: { Authorization: `Bearer ${controls.token}` } };
      const statuses = async () => [
        (await ask('/api/v1/repos')).status,
        (await ask('/session')).status,
        (await ask('/api/v1/prs', withToken, null)).status,
      ];
      t.deepEqual(await statuses(), [200, 200, 200]);
      await controls.setCredentials(states);
      t.deepEqual(await statuses(), [bySession, bySession, byToken]);
      const refused = await (bySession === 401 ? ask('/api/v1/repos') : ask('/api/v1/prs', withToken, null));
      t.regex(refused.headers.get('x-triage-warning') ?? '', warning);
      t.is(await refused.text(), '{"error":"Unauthorized"}');
      await controls.setCredentials({ session: 'valid', token: 'valid' }, 'dana@acme.test');
      t.deepEqual(await statuses(), [200, 200, 200]);
    }),
  );

test(
  'after a session has expired, a login begins one that is valid; the clock does not matter to valid ones',
  throughBothDoors(async (t, { controls, ask }) => {
    const { session } = controls;
    await controls.expireSession();
    const answer = await ask('/login', logIn, null);
    const [, own = ''] = /session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
    const status = async (cookie: string) => (await ask('/session', {}, cookie)).status;
    t.deepEqual([await status(own), await status(session)], [200, 401]);
    await controls.clock.advance('400d');
    t.deepEqual([await status(own), await status(session)], [401, 401]);
    await controls.setCredentials({ session: 'valid' });
    t.is(await status(session), 200);
  }),
);

test(
  'a session ends after seven days by its clock, whoever has it, and begins anew when the clock is set',
  throughBothDoors(async (t, { controls, ask }) => {
    const own = await controls.createTenant();
    const dated = await controls.createTenant({ fixture: { asOf: '2026-01-01T00:00:00.000Z', repos: [] } });
    const undated = await controls.createTenant({ fixture: { repos: [] } });
    const tenants = [own, dated, undated];
    const statuses = () =>
      Promise.all(tenants.map(async ({ session }) => (await ask('/api/v1/repos', {}, session)).status));
    t.deepEqual(await statuses(), [200, 200, 200]);
    await controls.clock.advance('8d');
    t.deepEqual(await statuses(), [401, 401, 401]);
    await controls.clock.set('2030-01-01T00:00:00Z');
    t.deepEqual(await statuses(), [200, 200, 200]);
    for (const { clock } of tenants) await clock.advance('400d');
    t.deepEqual(await statuses(), [401, 401, 401]);
    for (const { clock } of tenants) await clock.set('2040-01-01T00:00:00Z');
    t.deepEqual(await statuses(), [200, 200, 200]);
    t.is((await ask('/session')).status, 200);
  }),
);

test('credentials are set over HTTP, by whoever is connected, and on the page; what names nothing is refused', async (t) => {
  const { url, session } = await started(t);
  const status = async () =>
    (await fetch(`${url}/session`, { headers: { Cookie: `session=${session}` } })).status;
  const controls = connectControls({ url, tenant: 'acme' });
  await controls.expireSession();
  t.is(await status(), 401);
  await controls.setCredentials({ session: 'valid' }, 'usr_acme');
  t.is(await status(), 200);
  t.regex(String(await problemsOf(controls.expireSession('acmee'))), /There is no such tenant: .* "acme"\?$/);
  const wrong = JSON.parse('{"session":"gone","tokn":"valid"}');
  t.regex(
    String(await problemsOf(controls.setCredentials(wrong))),
    /\/session: expected one of valid, expired, revoked, got "gone"; \/tokn: .*token/,
  );
  const fields = { control: 'setCredentials', id: 'acme', session: 'revoked' };
  const headers = { Origin: url };
  const body = new URLSearchParams(fields);
  const posted = await fetch(`${url}/explore/controls`, {
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
  });
  t.deepEqual([posted.status, await status()], [303, 401]);
  t.regex(await (await fetch(`${url}/explore/controls`)).text(), /name="control" value="setCredentials"/);
});
