import * as E from '#fp-ts/Either';
import { plainAccounts, withoutLimits } from '../accounts/account-flow.js';
import { hashPassword, isPassword } from '../accounts/portable-passwords.js';
import type { Clock } from '../common/clock.js';
import { inTurn } from '../common/concurrency.js';
import { millisecondsOf } from '../contract/codecs/timestamp.js';
import { personasNamed } from '../fixtures/demo-accounts.js';
import type { Fixture } from '../fixtures/read-fixtures.js';
import { isEmptyAccount, stateStore } from '../fixtures/state-store.js';
import { html } from '../pages/html.js';
import { notice } from '../pages/layout.js';
import { resetPath } from '../pages/paths.js';
import type { PageRow } from '../pages/rows.js';
import type { WebContext } from '../pages/web.js';
import { handlerAccounts } from '../simulation/handler-accounts.js';
import { defaultTenantLimits } from '../simulation/on-demand-tenant.js';
import { openTenants } from '../simulation/open-tenants.js';
import { decodeScenario } from '../simulation/patches.js';
import { frozenAt, machineTime, simulatedClock } from '../simulation/simulated-clock.js';
import { createSimulation } from '../simulation/simulation.js';
import { allRows } from '../start/all-rows.js';
import type { CookieHandling } from '../start/fetch.js';
import { handlerDoor } from '../start/handler-door.js';
import {
  accountKey,
  DemoContent,
  type Kept,
  type KeptCookie,
  type KeyedStore,
  readKept,
  SmallState,
} from './kept-state.js';

type DemoDependencies = Readonly<{
  store: KeyedStore;
  /** The clock of the machine. */
  machine: Clock;
  /** A monotonic clock in milliseconds. */
  elapsed: Clock;
  /** The path that the demo is below, without a slash at its end. */
  basePath: string;
  /** Told that this demo is over: another one has to be opened. */
  onEnd: () => void;
}>;

/** How many accounts a visitor may make. */
const maxSignUps = 100;

const noSignUps = { number: 0, at: 0 };

/** After this time, data is dated anew, in milliseconds. */
const day = 24 * 60 * 60 * 1000;

const begunAnew = 'This demo has changed since your last visit, or could not be read: it has begun anew.';
const notKept =
  'This browser did not keep what was changed last: it may be out of space. You can read on. To change something, free space on this device, or reset this demo.';

/** The page that answers a form of which nothing could be kept. */
const notKeptPath = '/__demo/not-kept';

/**
 * Opens a demo for one visitor over what the browser keeps, as it was when its worker was stopped. Throws if
 * the content is not valid, which `triage-api demo` has checked.
 */
export const openDemo = async (
  value: unknown,
  { store, machine, elapsed, basePath, onEnd }: DemoDependencies,
) => {
  const content = orThrow(DemoContent.decode(value));
  const scenario = orThrow(decodeScenario(content.scenario));
  const found = await readKept(store, content.version);
  const kept: Kept | null = E.isRight(found) ? found.right : null;
  let isNew = E.isLeft(found) && found.left !== null;
  if (isNew) await store.clear();
  const state = kept?.state;
  const personas = content.personas.length === 0 ? null : content.personas;

  // What was kept is put back at the moment at which it was kept; what has become due since follows.
  let standsAt = state?.savedAt ?? null;
  const beginning = content.now === null ? machineTime : frozenAt(millisecondsOf(content.now));
  const clock = simulatedClock(() => standsAt ?? machine(), beginning);
  const isMachineTime = state?.clock?.frozenAt === null && state.clock.ahead === 0;
  if (state?.clock) clock.setMode(isMachineTime ? machineTime : state.clock);
  const simulation = createSimulation();
  simulation.faults.restore(state?.rules ?? []);
  const closing = new AbortController();
  /** Whether the last write has failed, which is why this demo may be over. */
  let isFull = false;
  const write: KeyedStore['write'] = async (changes) => {
    try {
      await store.write(changes);
      isFull = false;
    } catch (cause) {
      isFull = true;
      throw cause;
    }
  };
  const accounts = stateStore(kept?.accounts ?? [], async (account) => {
    closing.signal.throwIfAborted();
    await write([[accountKey(account.userId), isEmptyAccount(account) ? undefined : account]]);
  });

  const fixtures: readonly Fixture[] = content.fixtures.map((each) => ({ ...each, file: each.name }));
  const log = (): void => {};
  const tenants = openTenants(fixtures, {
    clock,
    log,
    stateStore: accounts,
    maxSignUps,
    loadedAt: state?.datedAt ?? clock.now(),
    signUps: state?.signUps ?? noSignUps,
    closing,
    scenario,
    tenantLimits: defaultTenantLimits,
  });
  const { storage, live, changes } = tenants;
  await live.started;
  for (const { name, dataset } of kept?.patched ?? []) await live.change(name, () => E.right(dataset));
  standsAt = null;
  for (const tenant of kept?.tenants ?? []) await live.tenants.restore(tenant);
  changes.resume(state?.changes ?? changes.count());
  const isOld = !clock.isChanged() && content.now === null && machine() - tenants.dates().loadedAt >= day;
  await (isOld ? live.clock.release() : live.catchUp());

  const jar = cookieJar(state?.cookies ?? [], machine);
  /** Empties the demo: whoever opens it next finds nothing. */
  const resetRow = ({ responses }: WebContext): PageRow => ({
    method: 'POST',
    path: resetPath,
    who: 'everyone',
    posts: 'nothing',
    answer: async () => {
      closing.abort();
      await store.clear();
      isFull = false;
      onEnd();
      return responses.redirectToOwn('/');
    },
  });
  const notKeptRow = ({ get, responses }: WebContext): PageRow =>
    get(notKeptPath, (request) =>
      responses.errorReply(request, { _tag: 'StorageUnavailable', cause: notKept }, 'Nothing was changed.'),
    );
  const { demo, demoAccounts } = handlerAccounts(live);
  const site = {
    storage,
    changes,
    mode: 'browser',
    demoAccounts,
    accounts: {
      ...plainAccounts,
      ...withoutLimits,
      hashPassword,
      isPassword,
      demo,
      personas: () => personas && personasNamed(personas, live.served(), maxSignUps).personas,
    },
    further: (web: WebContext) => [resetRow(web), notKeptRow(web)],
  } as const;
  const parts = { storage, clock: live.now, elapsed, log, strict: false, simulation, live, basePath };
  const respond = handlerDoor(
    { ...parts, delay: null, rateLimit: null, onRequest: () => {}, mayControl: () => true },
    async (settings) => allRows({ ...settings, ...site }),
  );
  simulation.names.serve({ pages: null });

  const saving = inTurn();
  /** What was written last; null: nothing. */
  let written: Readonly<{ state: string; patched: readonly Fixture[]; tenants: string }> | null = null;
  const save = async (): Promise<void> => {
    if (closing.signal.aborted && !isFull) return;
    closing.signal.throwIfAborted();
    // The last use of a token is noted in memory.
    if (accounts.noted().length > 0) await tenants.saveTokenUses();
    const { loadedAt: datedAt, signUps = noSignUps } = tenants.dates();
    const small: Omit<SmallState, 'savedAt'> = {
      version: content.version,
      datedAt,
      signUps,
      clock: clock.isChanged() ? clock.mode() : null,
      cookies: jar.all(),
      rules: simulation.faults.list(),
      changes: changes.count(),
    };
    const [served, made] = [live.served(), live.tenants.whole()];
    const now = { state: JSON.stringify(small), patched: served, tenants: JSON.stringify(made) };
    if (now.state === written?.state && now.patched === written.patched && now.tenants === written.tenants)
      return;
    const state = { ...small, savedAt: machine() };
    if (!SmallState.is(state)) throw new TypeError('the state of this demo is not valid');
    const patched = served.filter((fixture, i) => fixture !== fixtures[i]);
    await write([
      ['state', state],
      ...(now.patched === written?.patched ? [] : [['patched', patched] as const]),
      ...(now.tenants === written?.tenants ? [] : [['tenants', made] as const]),
    ]);
    written = now;
  };
  /** Keeps what a request has changed. What cannot be kept is forgotten, unless it is a trace of reading. */
  const keepAfter = async ({ method }: Request): Promise<boolean> => {
    try {
      await save();
      return true;
    } catch (error) {
      if (!isFull) throw error;
      if (method === 'GET' || method === 'HEAD') return true;
      closing.abort();
      onEnd();
      return false;
    }
  };
  return {
    /** Answers a request, and keeps what it has changed before. */
    answer: async (request: Request): Promise<Response> => {
      const way: CookieHandling = {
        cookiesFor: () => jar.cookiesFor(new URL(request.url).pathname),
        onCookie: (_name, _value, line) => jar.set(line),
        headers: hiddenHeaders(request),
      };
      const response = await respond(request, way);
      const isKept = await saving(() => keepAfter(request));
      const instead = new URL(`${basePath}${notKeptPath}`, request.url);
      const answer = isKept ? response : await respond(new Request(instead), way);
      if (typeof answer === 'string') return Response.error();
      const { status } = answer;
      if (!isKept && request.mode !== 'navigate') return Response.json({ error: notKept }, { status });
      const says = isFull ? notKept : isNew && status < 300 ? begunAnew : null;
      if (says === null || request.mode !== 'navigate') return answer;
      isNew &&= isFull;
      const begin = html`<main>${notice(says)}`.markup;
      const text = (await answer.text()).replace('<main>', () => begin);
      const headers = Array.from(answer.headers).filter(([name]) => name !== 'content-length');
      return new Response(text, { status, headers });
    },
  };
};

/**
 * What the browser adds later to the head of a request that a page has caused: where it comes from. A form
 * without any origin may be one of another site.
 */
export const hiddenHeaders = ({
  method,
  url,
  headers,
  referrer,
  mode,
}: Pick<Request, 'method' | 'url' | 'headers' | 'referrer' | 'mode'>) => {
  const from = URL.canParse(referrer) ? new URL(referrer).origin : null;
  const isPosted = mode === 'navigate' && method === 'POST';
  const origin = headers.get('origin') ?? (isPosted ? (from ?? 'null') : null);
  return {
    ...(origin === null ? {} : { origin }),
    ...(from === new URL(url).origin ? { referer: referrer } : {}),
  };
};

const orThrow = <A>(decoded: E.Either<unknown, A>): A => {
  if (E.isLeft(decoded)) throw new TypeError('the content of this demo is not valid');
  return decoded.right;
};

/** The cookies of a demo, as a service worker sets none. `machine`: the clock by which they expire. */
const cookieJar = (kept: readonly KeptCookie[], machine: Clock) => {
  let cookies = kept;
  const isOver = ({ until }: KeptCookie): boolean => until <= machine();
  const isBelow = (path: string, above: string): boolean =>
    path === above || path.startsWith(above.endsWith('/') ? above : `${above}/`);
  return {
    all: (): readonly KeptCookie[] => cookies,
    cookiesFor: (path: string): ReadonlyMap<string, string> => {
      const sent = cookies.filter((cookie) => !isOver(cookie) && isBelow(path, cookie.path));
      return new Map(sent.map(({ name, value }) => [name, value]));
    },
    /** Takes the value of a header `Set-Cookie` of this service. */
    set: (line: string): void => {
      const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
      const path = /; path=([^;]*)/.exec(line)?.[1] ?? '/';
      const seconds = Number(/; max-age=(\d+)/.exec(line)?.[1] ?? 0);
      const others = cookies.filter((other) => !(other.name === name && other.path === path));
      const set = { name, value, path, until: machine() + seconds * 1000 };
      cookies = [...others, set].filter((cookie) => !isOver(cookie));
    },
  };
};
