import { request } from 'node:http';
import type { ExecutionContext } from 'ava';
import { browse } from './browser/_browser.js';

type Answer = Readonly<{ status: number; cookie: string }>;

/** A request as a browser sends it; `fetch` would not let a test choose `Host`. */
const send = (
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    request(`${url}${path}`, { method, headers }, (response) => {
      const { statusCode: status = 0, headers: received } = response;
      response.resume().on('end', () => resolve({ status, cookie: received['set-cookie']?.[0] ?? '' }));
    })
      .on('error', reject)
      .end(body === undefined ? undefined : JSON.stringify(body));
  });

const login = { email: 'dana@acme.test', password: 'acme-password' };

/**
 * Logs in at `url` from a page of `origin`, asks who is signed in, lists rows, and logs out. Resolves to the
 * statuses; to that of the login alone if it fails. `host`: under which name the browser finds the server.
 */
export const journey = async (
  url: string,
  origin: string,
  host = new URL(origin).host,
): Promise<Readonly<{ statuses: readonly number[]; cookie: string }>> => {
  const json = { Host: host, Origin: origin, 'Content-Type': 'application/json' };
  const { status, cookie } = await send(url, '/login', json, login);
  if (status !== 200) return { statuses: [status], cookie };
  const Cookie = cookie.split(';')[0] ?? '';
  const get = { Host: host, Cookie };
  const statuses = [status];
  for (const path of ['/session', '/api/v1/repos', '/api/v1/findings?limit=1']) {
    statuses.push((await send(url, path, get)).status);
  }
  statuses.push((await send(url, '/logout', { ...json, Cookie }, {})).status);
  statuses.push((await send(url, '/session', get)).status);
  return { statuses, cookie };
};

/** The statuses of a journey on which nothing fails; after the logout nobody is signed in. */
export const worksThroughout = [200, 200, 200, 200, 204, 401];

/** A page of a front end, to which the pages of the login shall lead back. */
export const ownPage = {
  path: '/x.html',
  content: '<!doctype html><title>app</title><p>a page of the app</p>',
};

/** What the documented proxies lead to the server, and what they leave to the front end. */
const forwarded = [
  '/api/v1/repos',
  '/api/v1/findings?limit=1',
  '/login',
  '/login?next=/x',
  '/login/style.css',
  '/signup',
  '/logout',
  '/session',
];
const kept = [
  ...['/', ownPage.path, '/assets/app.js', '/explore', '/settings/account', '/api/v2/repos', '/api/v10'],
  ...['/loginx', '/login.html', '/log', '/signups', '/sessions', '/session-ended', '/x/login'],
];

/**
 * Visits a front end at `url` that has `ownPage`, and the pages of the server that its proxy forwards: logs
 * in by form and by click, signs up, and logs out, in Chromium and without leaving the front end.
 */
export const visit = async (t: ExecutionContext, url: string): Promise<void> => {
  const page = await (await browse(t, { ignoreHTTPSErrors: true })).newPage();
  const main = page.getByRole('main');
  const here = `${url}${ownPage.path}`;
  const isStyled = () =>
    page.evaluate("getComputedStyle(document.querySelector('header')).display === 'flex'");
  const signedIn = () => page.evaluate("fetch('/session').then((answer) => answer.json())");
  const logOut = async () => {
    await page.goto(`${url}/login?next=${ownPage.path}`);
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.waitForURL(`${url}/login?next=%2Fx.html`);
    t.deepEqual(await page.context().cookies(), []);
  };
  const fill = async (fields: Readonly<Record<string, string>>, button: string) => {
    for (const [label, text] of Object.entries(fields)) await page.getByLabel(label).fill(text);
    await main.getByRole('button', { name: button, exact: true }).click();
  };

  await page.goto(`${url}/login?next=${ownPage.path}`);
  t.true(await isStyled(), 'the login page has its styles');
  await fill({ 'E-mail': login.email, Password: 'wrong' }, 'Log in');
  await page.getByRole('alert').waitFor();
  await fill({ Password: login.password }, 'Log in');
  await page.waitForURL(here);
  t.like(await signedIn(), { user: { email: login.email } });

  const isForwarded = (path: string) =>
    page.evaluate(`fetch('${path}').then(({ headers }) => headers.has('X-Request-Id'))`);
  for (const path of forwarded) t.true(await isForwarded(path), path);
  for (const path of kept) t.false(await isForwarded(path), path);

  await logOut();
  await page.getByRole('button', { name: 'Log in as Dana' }).click();
  await page.waitForURL(here);
  t.like(await signedIn(), { user: { email: login.email } });

  await logOut();
  await main.getByRole('link', { name: 'Sign up' }).click();
  await page.waitForURL(`${url}/signup?next=%2Fx.html`);
  t.true(await isStyled(), 'the sign-up page has its styles');
  await fill({ Name: 'Ann', 'E-mail': 'ann@new.test', Password: 'short' }, 'Sign up');
  await page.getByRole('alert').waitFor();
  await fill({ Password: 'plum violin rocket' }, 'Sign up');
  await page.waitForURL(here);
  t.like(await signedIn(), { user: { email: 'ann@new.test' } });
  await logOut();

  // Without a page to return to, the login leads to the start page, which every front end has.
  await page.goto(`${url}/login`);
  await page.getByRole('button', { name: 'Log in as Dana' }).click();
  await page.waitForURL(`${url}/`);
};
