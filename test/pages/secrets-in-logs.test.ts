import { EventEmitter, once } from 'node:events';
import test from 'ava';
import { hashSecret } from '../../src/api/credentials.js';
import { accessLog, diagnosticLog } from '../../src/cli/terminal/logging.js';
import { raw } from '../_raw.js';
import { aTerminal } from '../cli/terminal/_terminal.js';
import { form, json, serveWeb, sessionOf } from './_browserless.js';

const password = 'correct horse battery';
const wrongPassword = 'incorrect donkey';
const misplaced = 'hunter2-hunter2';

/** A server whose log is kept, in one of its two formats. */
const logging = async (t: Parameters<typeof serveWeb>[0], isTerminal: boolean) => {
  const { fake, lines } = aTerminal(isTerminal);
  const clock = () => 0;
  const logAccess = accessLog(fake, 'debug', clock);
  const onAccess = new EventEmitter();
  let ended = 0;
  const server = await serveWeb(t, {
    log: diagnosticLog(fake, 'debug', clock),
    logAccess: (entries) => {
      logAccess?.(entries);
      ended += entries.length;
      onAccess.emit('access');
    },
  });
  const untilLogged = async (count: number): Promise<void> => {
    while (ended < count) await once(onAccess, 'access');
  };
  return { ...server, lines, untilLogged };
};

for (const isTerminal of [true, false]) {
  test(`no secret of a whole journey is logged ${isTerminal ? 'as text' : 'as JSON'}, at the level debug`, async (t) => {
    const { ask, url, lines, untilLogged } = await logging(t, isTerminal);
    let sent = 0;
    const send: typeof ask = (path, init) => {
      sent += 1;
      return ask(path, init);
    };
    const ann = { email: 'ann@new.test', name: 'Ann' };
    const first = sessionOf(await send('/signup', json({ ...ann, password })));
    await send('/login', json({ email: ann.email, password: wrongPassword }));
    await send('/login', form({ email: 'nobody@new.test', password: wrongPassword }));
    const second = sessionOf(await send('/login', form({ email: ann.email, password })));
    const asAnn = { Cookie: `session=${second}` };
    const minted = await send('/settings/api-tokens', json({ name: 'ci' }, asAnn));
    const { id, token } = Object(minted.body);
    for (const secret of [first, second, token]) t.true(secret.length > 40, 'there are secrets to look for');

    const bearer = { headers: { Authorization: `Bearer ${token}` } };
    for (const path of ['/api/v1/repos', '/api/v1/findings', '/api/v1/prs', '/settings/api-tokens']) {
      await send(path, { headers: asAnn });
      await send(path, bearer);
    }
    for (const secret of [second, token]) {
      for (const path of [
        `/${secret}`,
        `/api/v1/findings/${secret}`,
        `/api/v1/findings?repoId=${secret}`,
        `/api/v1/findings?token=${secret}&${secret}=1&page=${secret}`,
        `/settings/api-tokens?session=${secret}`,
      ]) {
        await send(path, { headers: asAnn });
      }
    }
    await send(`/login?password=${misplaced}`, json({ email: ann.email, password: misplaced }));
    await send('/login', json(`{"password":"${misplaced}"`));
    await send('/login', json({ email: misplaced, password: { $ne: misplaced } }));
    await send('/signup', json({ ...ann, password: 'short-1', more: misplaced }));
    await send(
      '/login',
      json({ email: ann.email, password }, { Origin: 'https://elsewhere.test', ...asAnn }),
    );
    await raw(url, `GET / HTTP/1.1\r\nHost: x\r\nCookie session=${second}\r\n\r\n`);
    await send(`/settings/api-tokens/${id}/revoke`, json({}, asAnn));
    await send('/logout', json({}, asAnn));
    await untilLogged(sent);

    const log = lines.join('\n');
    for (const secret of [first, second, token]) {
      t.false(log.includes(secret));
      t.false(log.includes(secret.slice(0, 20)));
      t.false(log.includes(hashSecret(secret)));
    }
    for (const secret of [password, wrongPassword, misplaced, 'short-1', '$scrypt', 'scrypt']) {
      t.false(log.includes(secret), secret);
    }
    for (const event of [
      'signup.succeeded',
      'login.failed',
      'login.succeeded',
      'token.minted',
      'token.revoked',
      'logout',
      'crosssite.refused',
    ]) {
      t.true(log.includes(event), event);
    }
  });
}
