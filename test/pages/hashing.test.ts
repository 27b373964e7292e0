import test, { type ExecutionContext } from 'ava';
import { hashingQueue } from '../../src/accounts/login-limits.js';
import { isPassword } from '../../src/accounts/passwords.js';
import { limiterOf } from '../_limits.js';
import { talk } from '../_raw.js';
import { testAccounts } from '../_server.js';
import { acme } from '../koa/_world.js';
import { ann, form, json, serveWeb } from './_browserless.js';

const login = { email: 'acme@test.test', password: 'secret' };

/** A server that compares passwords only while `open` says so, one at a time. */
const serveQueued = async (t: ExecutionContext, limits: Partial<Parameters<typeof hashingQueue>[0]> = {}) => {
  const queue = hashingQueue({ atOnce: 1, waiting: 64, waitingPerNetwork: 64, ...limits }, () => 0.999);
  const compared: string[] = [];
  let entered = 0;
  let onEntry = (): void => {};
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const server = await serveWeb(t, {
    trustProxy: true,
    accounts: {
      ...testAccounts,
      demo: () => acme,
      hashing: {
        ...queue,
        forVisitor: (visitor, work) => {
          const done = queue.forVisitor(visitor, work);
          entered += 1;
          onEntry();
          return done;
        },
      },
      isPassword: async (password, hash) => {
        compared.push(password);
        await opened;
        return isPassword(password, hash);
      },
    },
  });
  /** Resolves once so many logins and sign-ups are in the queue or through it. */
  const untilEntered = (count: number): Promise<void> =>
    new Promise((resolve) => {
      onEntry = () => (entered >= count ? resolve() : undefined);
      onEntry();
    });
  return { ...server, compared, open, untilEntered };
};

const loginFrom = (address: string, password = 'secret') =>
  json({ ...login, password }, { 'X-Forwarded-For': address });

test('logins beyond the queue are answered 503 with Retry-After, and sign-ups, too', async (t) => {
  const { ask, open, untilEntered } = await serveQueued(t, { waiting: 2 });
  const waiting = [1, 2, 3].map(() => ask('/login', json(login)));
  await untilEntered(3);
  const refused = await ask('/login', json(login));
  t.is(refused.status, 503);
  t.deepEqual(refused.body, {
    error: 'Too many logins and sign-ups are in progress: try again in 5 seconds',
  });
  t.is(refused.headers.get('retry-after'), '5');
  const page = await ask('/login', form(login));
  t.is(page.status, 503);
  t.true(page.text.includes('Too many logins and sign-ups are in progress: try again in 5 seconds.'));
  t.is((await ask('/signup', json(ann))).status, 503);
  open();
  t.deepEqual(
    (await Promise.all(waiting)).map(({ status }) => status),
    [200, 200, 200],
  );
});

test('a login that a limit refuses takes no place in the queue', async (t) => {
  const attempts = limiterOf({ loginsPerAccount: 0 });
  const hashing = hashingQueue({ atOnce: 0, waiting: 0, waitingPerNetwork: 0 }, () => 0);
  const { ask } = await serveWeb(t, { accounts: { ...testAccounts, attempts, hashing } });
  t.is((await ask('/login', json(login))).status, 429);
});

test('however many logins come from one address, one from another is answered, and the API does not wait', async (t) => {
  const { ask, compared, open, untilEntered } = await serveQueued(t, { waiting: 16, waitingPerNetwork: 4 });
  const first = ask('/login', loginFrom('192.0.2.1', 'first'));
  await untilEntered(1);
  const crowd = Array.from({ length: 16 }, () => ask('/login', loginFrom('192.0.2.1', 'crowd')));
  await untilEntered(17);
  const other = ask('/login', loginFrom('198.51.100.1'));
  await untilEntered(18);
  t.is((await ask('/api/v1/repos', { headers: { Cookie: 'session=acme-cookie' } })).status, 200);
  open();
  t.is((await other).status, 200);
  await Promise.all([first, ...crowd]);
  t.is(compared.indexOf('secret'), 5);
});

const bytesOfLogin = (password: string): string => {
  const body = JSON.stringify({ ...login, password });
  return `POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
};

test('logins of connections that were closed while they waited are dropped, with a request behind them, too', async (t) => {
  const { url, ask, compared, open, untilEntered } = await serveQueued(t);
  const first = ask('/login', json({ ...login, password: 'first' }));
  await untilEntered(1);
  const others = Array.from({ length: 10 }, (_, i) =>
    talk(url, `${bytesOfLogin('gone')}${i < 5 ? 'GET' : ''}`),
  );
  await untilEntered(11);
  for (const { hangUp } of others) hangUp();
  // What was sent before these requests has been read when they are answered.
  for (let i = 0; i < 3; i += 1) await ask('/healthz');
  open();
  await first;
  await ask('/login', json({ ...login, password: 'last' }));
  t.deepEqual(compared, ['first', 'last']);
});

test('of many logins that one connection sends at once and leaves, at most two are worked on', async (t) => {
  const { url, ask, compared, open, untilEntered, untilAccessed } = await serveQueued(t);
  const first = ask('/login', json({ ...login, password: 'first' }));
  await untilEntered(1);
  const { hangUp } = talk(url, bytesOfLogin('gone').repeat(10));
  await untilEntered(2);
  hangUp();
  open();
  await first;
  // The first of the connection that has gone, and the first login.
  await untilAccessed(2);
  await ask('/login', json({ ...login, password: 'last' }));
  // That the client has gone is noticed when the answer to its first login is sent.
  t.deepEqual([compared[0], compared.at(-1)], ['first', 'last']);
  t.true(compared.length <= 4, String(compared));
});
