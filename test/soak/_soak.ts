import { readdirSync, readFileSync } from 'node:fs';
import type { ExecutionContext } from 'ava';
import { type Random, seededRandom } from '../../src/simulation/random.js';
import type { Running } from '../cli/_cli.js';

/** How much of something a long test does: a whole number from a variable of the environment, or `usual`. */
export const amount = (variable: string, usual: number): number => {
  const value = Number(process.env[variable] ?? usual);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new Error(`${variable}=${process.env[variable]}: expected a whole number from 1 on`);
};

const seed = amount('TRIAGE_SOAK_SEED', 1 + Math.floor(Math.random() * 2 ** 31));

/** Prints the seed of a test, and returns the random choices of its parts. */
export const randomOf = (t: ExecutionContext): ((part: number) => Random) => {
  t.log(`TRIAGE_SOAK_SEED=${seed}`);
  return (part) => seededRandom(seed + part * 7919);
};

export const pick = <A>(random: Random, choices: readonly A[]): A | undefined =>
  choices[Math.floor(random() * choices.length)];

/** Does the same work in so many lanes at once. */
export const inLanes = async (count: number, lane: (index: number) => Promise<void>): Promise<void> => {
  await Promise.all(Array.from({ length: count }, (_, index) => lane(index)));
};

/** Options of a server that one address may use as much as it likes. */
export const unlimited: readonly string[] = [
  ...['--log-level', 'warn', '--no-watch', '--mutable-demo'],
  ...['signup', 'login', 'login-account', 'login-address', 'login-rate'].flatMap((name) => [
    `--${name}-limit`,
    '1000000',
  ]),
];

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
export type Credential = {
  readonly kind: 'session' | 'token';
  readonly value: string;
  isLive: boolean | null;
} & {
  readonly id: string;
};

/** An account that a test changes, with everything that was acknowledged. The session `keeper` is never ended. */
export type Account = Readonly<{
  email: string;
  password: string;
  keeper: string;
  credentials: Credential[];
}>;

/** The accounts of shipped fixtures. */
export const fixtureAccounts = (): Account[] =>
  [
    ['dana@acme.test', 'acme'],
    ['demo@triage.test', 'demo'],
  ].map(([email = '', name]) => ({
    email,
    password: `${name}-password`,
    keeper: `${name}-session`,
    credentials: [],
  }));

const password = 'plum violin rocket';

export const signUp = async (url: string, email: string): Promise<Reply & Readonly<{ account: Account }>> => {
  const reply = await ask(url, '/signup', { json: { name: 'Ann', email, password } });
  const keeper = reply.session ?? '';
  const first: Credential = { kind: 'session', value: keeper, id: '', isLive: true };
  return { ...reply, account: { email, password, keeper, credentials: [first] } };
};

/** Logs in, and notes the session if that was acknowledged. */
export const logIn = async (url: string, account: Account): Promise<number> => {
  const { email, password } = account;
  const { status, session } = await ask(url, '/login', { json: { email, password } });
  if (status === 200)
    account.credentials.push({ kind: 'session', value: session ?? '', id: '', isLive: true });
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
export const wrongOnes = async (
  url: string,
  credentials: Iterable<Credential>,
): Promise<readonly string[]> => {
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

/** Lines of a log that tell of a fault in the program, or of a timer or listener that Node warns about. */
export const faultsIn = ({ out, err }: Pick<Running, 'out' | 'err'>): readonly string[] =>
  `${out()}${err()}`
    .split('\n')
    .filter((line) => /unhandled|uncaught|FATAL ERROR|Warning: |^ {4}at /i.test(line));

/** The memory and the open files of a process; null where the system does not tell, as all but Linux. */
export const usageOf = (pid: number | undefined): Readonly<{ memory: number; files: number }> | null => {
  if (process.platform !== 'linux') return null;
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { memory: Number(resident) / 1024, files: readdirSync(`/proc/${pid}/fd`).length };
};
