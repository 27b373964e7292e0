import * as E from '#fp-ts/Either';
import { plainAccounts, withoutLimits } from '../accounts/account-flow.js';
import { hashPassword, isPassword } from '../accounts/portable-passwords.js';
import type { Clock } from '../common/clock.js';
import { inTurn } from '../common/concurrency.js';
import { millisecondsOf } from '../contract/codecs/timestamp.js';
import { personasNamed } from '../fixtures/demo-accounts.js';
import type { Fixture } from '../fixtures/read-fixtures.js';
import { isEmptyAccount, stateStore } from '../fixtures/state-store.js';
import { type Html, html } from '../pages/html.js';
import { resetPath } from '../pages/paths.js';
import { localReferrer } from '../pages/posts.js';
import type { PageRow } from '../pages/rows.js';
import type { WebContext } from '../pages/web.js';
import { handlerAccounts } from '../simulation/handler-accounts.js';
import { defaultTenantLimits } from '../simulation/on-demand-tenant.js';
import { openTenants } from '../simulation/open-tenants.js';
import { decodeScenario } from '../simulation/patches.js';
import { frozenAt, machineTime, simulatedClock } from '../simulation/simulated-clock.js';
import { createSimulation } from '../simulation/simulation.js';
import { allRows } from '../start/all-rows.js';
import { handlerDoor } from '../start/handler-door.js';
import {
  accountKey,
  DemoContent,
  type Kept,
  type KeptCookie,
  type KeyedStore,
  readKept,
  SmallState,
  withMemory,
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
  /** A newer version of the demo that the browser has loaded: whether there is one, and how it takes over. */
  newVersion: Readonly<{ isWaiting: () => boolean; takeOver: () => void }>;
}>;

/** How many accounts a visitor may make. */
const maxSignUps = 100;

const noSignUps = { number: 0, at: 0 };

/** After this time, data is dated anew, in milliseconds. */
const day = 24 * 60 * 60 * 1000;

const begunAnew = 'This demo has changed since your last visit, or could not be read: it has begun anew.';
const notKept =
  'This browser has no space for what you change here: it lasts only as long as you go on using this demo.';

/** The path to which a page posts to let a newer version take over. */
const updatePath = '/__demo/update';

const updateLine = (
  basePath: string,
): Html => html`<aside class="simulated" aria-label="New version"><p>There is a newer version of this demo, which begins anew.</p>
<form method="post" action="${basePath}${updatePath}"><button class="quiet">Reload</button></form></aside>
`;

const statusLine = (says: string): Html => html`<p class="simulated" role="status">${says}</p>
`;

/**
 * Opens a demo for one visitor over what the browser keeps, as it was when its worker was stopped. Throws if
 * the content is not valid, which `triage-api demo` has checked.
 */
export const openDemo = async (
  value: unknown,
  { store: browser, machine, elapsed, basePath, onEnd, newVersion }: DemoDependencies,
) => {
  const content = orThrow(DemoContent.decode(value));
  const scenario = orThrow(decodeScenario(content.scenario));
  const store = withMemory(browser);
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
  const accounts = stateStore(kept?.accounts ?? [], async (account) => {
    closing.signal.throwIfAborted();
    await store.write([[accountKey(account.userId), isEmptyAccount(account) ? undefined : account]]);
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
      onEnd();
      return responses.redirectToOwn('/');
    },
  });
  const updateRow = ({ responses }: WebContext): PageRow => ({
    method: 'POST',
    path: updatePath,
    who: 'everyone',
    posts: 'nothing',
    answer: async (request) => {
      newVersion.takeOver();
      return responses.redirectBack(localReferrer(request), '/');
    },
  });
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
    further: (web: WebContext) => [resetRow(web), updateRow(web)],
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
    if (closing.signal.aborted) return;
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
    const isSame =
      now.state === written?.state && now.patched === written.patched && now.tenants === written.tenants;
    if (isSame && !store.isFull()) return;
    const state = { ...small, savedAt: machine() };
    if (!SmallState.is(state)) throw new TypeError('the state of this demo is not valid');
    const patched = served.filter((fixture, i) => fixture !== fixtures[i]);
    await store.write([
      ['state', state],
      ...(now.patched === written?.patched ? [] : [['patched', patched] as const]),
      ...(now.tenants === written?.tenants ? [] : [['tenants', made] as const]),
    ]);
    written = now;
  };
  return {
    /** Answers a request, and keeps what it has changed before. */
    answer: async (request: Request): Promise<Response> => {
      const answer = await respond(request, {
        cookiesFor: () => jar.cookiesFor(new URL(request.url).pathname),
        onCookie: (_name, _value, line) => jar.set(line),
        headers: hiddenHeaders(request),
      });
      await saving(save);
      if (typeof answer === 'string') return Response.error();
      if (request.mode !== 'navigate') return answer;
      const { status } = answer;
      const isBegun = isNew && status < 300;
      const lines = html`${store.isFull() && statusLine(notKept)}${isBegun && statusLine(begunAnew)}${newVersion.isWaiting() && updateLine(basePath)}`;
      if (lines.markup === '') return answer;
      isNew &&= !isBegun;
      const text = (await answer.text()).replace('<main>', () => `${lines.markup}<main>`);
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
