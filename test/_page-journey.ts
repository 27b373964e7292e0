import { request } from 'node:http';

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
