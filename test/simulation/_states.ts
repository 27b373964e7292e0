import type { Exchange, OperationId, State, StateRecipe } from '../../src/simulation/states/index.js';
import { requestsOf } from '../../src/simulation/states/index.js';

/** Sends a request to one of the doors. Rejects if there is no response. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** Sends JSON to the mock controls, and returns what they answer. */
const control = async (send: Send, path: string, body: object, method = 'POST') => {
  const init = { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const ask = () => send(`/__admin${path}`, init);
  // The client may take a connection once more that a state has just cut.
  const answer = await ask().catch(ask);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return Object(text === '' ? {} : JSON.parse(text));
};

export type Credentials = Readonly<{ session: string; token: string }>;

/** The headers with the credentials that the requests of a state have. */
const headersOf = (
  { client = {} }: StateRecipe,
  { session, token }: Credentials,
): Readonly<Record<string, string>> => {
  if (client.signIn === 'none') return {};
  return client.signIn === 'token' ? { authorization: `Bearer ${token}` } : { cookie: `session=${session}` };
};

/** How long to wait for an answer that does not come, in milliseconds. */
const patience = 150;

/** Sends a request, and notes what has come back. */
export const exchange = async (
  send: Send,
  operation: OperationId,
  url: string,
  headers: Readonly<Record<string, string>>,
  mayHang = false,
): Promise<Exchange> => {
  const client = new AbortController();
  // Unlike `AbortSignal.timeout`, it keeps the process alive where nothing else does.
  const timer = setTimeout(() => client.abort(), mayHang ? patience : 600_000);
  const received: { status: number | null; headers: Record<string, string>; body: string } = {
    status: null,
    headers: {},
    body: '',
  };
  const end = await (async (): Promise<Exchange['end']> => {
    try {
      const answer = await send(url, { headers, redirect: 'manual', signal: client.signal });
      if (answer.type === 'error') return client.signal.aborted ? 'gone' : 'dropped';
      received.status = answer.status;
      received.headers = Object.fromEntries(answer.headers);
      received.body = await answer.text();
      return 'written';
    } catch {
      if (client.signal.aborted) return 'gone';
      return received.status === null ? 'dropped' : 'cut';
    } finally {
      clearTimeout(timer);
    }
  })();
  const request = { method: 'GET', url, headers };
  const simulated = received.headers['x-triage-simulated'] ?? null;
  return { request, operation, tenant: null, simulated, ...received, end };
};

/** Makes a state at a door, and notes what its requests are answered there, by operation. */
export const exchangesOf = async (send: Send, state: State): Promise<readonly (readonly Exchange[])[]> => {
  const noted: (readonly Exchange[])[] = [];
  for (const operation of state.operations) {
    const made = await control(send, '/tenants', { state: state.id });
    const list: Exchange[] = [];
    for (const path of requestsOf(state, operation))
      list.push(
        await exchange(send, operation, path, headersOf(state.make, made), state.id.endsWith('.hang')),
      );
    noted.push(list);
  }
  return noted;
};
