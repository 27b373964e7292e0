import { inLanes } from './_soak.js';

/** An answer; the status 0 means that there was none, and that the request may have been carried out. */
export type Reply = Readonly<{ status: number; body: unknown; session: string | null }>;

/** Sends JSON with `json`, which makes it a POST, and otherwise a GET. */
export const ask = async (
  url: string,
  path: string,
  { session, token, json }: Readonly<{ session?: string | undefined; token?: string; json?: unknown }> = {},
): Promise<Reply> => {
  const headers = {
    Accept: 'application/json',
    ...(session === undefined ? {} : { Cookie: `session=${session}` }),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  const sent = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) };
  try {
    const response = await fetch(`${url}${path}`, { headers, redirect: 'manual', ...sent });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    const started = /^session=([^;]+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? null;
    return { status: response.status, body: isJson ? JSON.parse(text) : text, session: started };
  } catch {
    return { status: 0, body: null, session: null };
  }
};

/** A session or a token, and whether it works; null: a request that ends it was not answered. */
export type Credential = Readonly<{ kind: 'session' | 'token'; value: string; id: string }> & {
  isLive: boolean | null;
};

/** An account that a test changes, with what was acknowledged. The session `keeper` is never ended. */
export type Account = Readonly<{
  email: string;
  password: string;
  keeper: string;
  credentials: Credential[];
}>;

const account = (email: string, password: string, keeper: string): Account =>
  Object.freeze({ email, password, keeper, credentials: [] });

/** Two accounts of the shipped fixtures. */
export const fixtureAccounts = (): readonly [Account, Account] => [
  account('dana@acme.test', 'acme-password', 'acme-session'),
  account('demo@triage.test', 'demo-password', 'demo-session'),
];

const password = 'plum violin rocket';

export const signUp = async (url: string, email: string): Promise<Reply & Readonly<{ account: Account }>> => {
  const reply = await ask(url, '/signup', { json: { name: 'Ann', email, password } });
  return { ...reply, account: account(email, password, reply.session ?? '') };
};

/** Logs in, and notes the session if that was acknowledged. */
export const logIn = async (url: string, account: Account): Promise<number> => {
  const { email, password, credentials } = account;
  const { status, session } = await ask(url, '/login', { json: { email, password } });
  if (session !== null) credentials.push({ kind: 'session', value: session, id: '', isLive: true });
  return status;
};

/** Mints a token, and notes it if that was acknowledged. */
export const mint = async (url: string, account: Account, form: object = {}): Promise<number> => {
  const json = { name: 'soak', ...form };
  const { status, body } = await ask(url, '/settings/api-tokens', { session: account.keeper, json });
  const { id, token } = Object(body);
  if (status === 201) account.credentials.push({ kind: 'token', value: String(token), id, isLive: true });
  return status;
};

/** Logs a session out or revokes a token, and notes what is known about it then. */
export const end = async (url: string, account: Account, credential: Credential): Promise<number> => {
  const { kind, value, id } = credential;
  // While the request is on its way, nobody else ends it.
  credential.isLive = null;
  const path = kind === 'session' ? '/logout' : `/settings/api-tokens/${id}/revoke`;
  const { status } = await ask(url, path, { session: kind === 'session' ? value : account.keeper, json: {} });
  if (status !== 0) credential.isLive = status !== 204;
  return status;
};

/** The credentials that work although they were ended, or do not work although they were not. */
export const wrongOnes = async (url: string, credentials: Iterable<Credential>): Promise<string[]> => {
  const wrong: string[] = [];
  const all = credentials[Symbol.iterator]();
  await inLanes(4, async () => {
    for (let next = all.next(); next.done !== true; next = all.next()) {
      const { kind, value, isLive } = next.value;
      if (isLive === null) continue;
      const { status } = await ask(url, '/api/v1/prs?limit=1', { [kind]: value });
      if (status !== (isLive ? 200 : 401)) wrong.push(`a ${isLive ? 'live' : 'ended'} ${kind} got ${status}`);
    }
  });
  return wrong;
};
