import type * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { plainAccounts, withoutLimits } from '../accounts/account-flow.js';
import type { PasswordHash } from '../accounts/account-records.js';
import { publicPasswordHash } from '../accounts/portable-passwords.js';
import { newSession } from '../accounts/sessions-and-tokens.js';
import { hashSecret, type SecretHash } from '../api/credentials.js';
import { valueAt } from '../common/json.js';
import { TriageApiError } from '../common/messages.js';
import { timestampAt } from '../contract/codecs/timestamp.js';
import { sessionCookieName } from '../contract/operations.js';
import { fixturesFromValues } from '../fixtures/fixtures-from-values.js';
import type { Fixture } from '../fixtures/read-fixtures.js';
import { logInNames } from '../pages/paths.js';
import { scenarioProblems } from '../simulation/changed-fixtures.js';
import { tenantNamed } from '../simulation/known-names.js';
import { openTenants } from '../simulation/open-tenants.js';
import type { Scenario } from '../simulation/patches.js';
import type { ComposeSettings, Site } from '../start/compose.js';
import type { Answer, CookieHandling } from '../start/fetch.js';
import { type HandlerDependencies, handlerDoor } from '../start/handler-door.js';
import { addProperties, maxSignUps, openCore, serve } from './core.js';
import {
  allOrThrow,
  decodeGiven,
  type GivenFixtures,
  type ReadOptions,
  readScenario,
  unknownSession,
} from './test-options.js';

/**
 * How a request comes: `cookie` is the value of a session cookie that is not in its headers. `remembers`: the
 * client keeps no cookies, so whoever has logged in or out stays so.
 */
type Visit = Readonly<{ cookie: string | null; remembers: boolean }>;

/** Who is logged in, as a tab keeps it over a reload. */
type KeptLogIn = Readonly<{ userId: string; session: string }>;

/** Where a login is kept. `read`: the one of an earlier page; null: there is none. */
export type LogInStore = Readonly<{
  read: () => KeptLogIn | null;
  write: (login: KeptLogIn | null) => void;
}>;

type HandlerSettings = ReadOptions & Readonly<{ session: boolean | string | undefined }>;

type Checked = Readonly<{ options: HandlerSettings; fixtures: readonly Fixture[]; scenario: Scenario }>;

/** What the options of a handler amount to. `pages`: whether there is more than operations and the login. */
type Door = Readonly<{ basePath: string; pages: boolean }> & Pick<HandlerDependencies, 'mayControl'>;

/**
 * Checks fixtures for requests of `fetch`. Throws a `TriageApiError` that lists what is wrong with them and
 * with the options. `open` opens them; its `answer` rejects if the credentials of the tenants cannot be made.
 * Cloudflare Workers have neither a clock nor random values before the first request.
 */
export const openHandler = <O extends HandlerSettings>(
  value: unknown,
  settings: unknown,
  codec: t.Decoder<unknown, O>,
  doorOf: (options: O) => Door,
  kept: LogInStore | null = null,
) => {
  const [options, fixtures, scenario] = allOrThrow(
    decodeGiven('options', codec, settings),
    fixturesFromValues(value),
    readScenario(valueAt(settings, ['scenario'])),
  );
  const unfit = [...scenarioProblems(scenario, fixtures), ...unknownSession(options.session, fixtures)];
  if (unfit.length > 0) throw new TriageApiError(unfit);
  return { options, open: () => openChecked({ options, fixtures, scenario }, doorOf(options), kept) };
};

const openChecked = (
  { options, fixtures, scenario }: Checked,
  { basePath, mayControl, pages }: Door,
  kept: LogInStore | null,
) => {
  const { session } = options;
  const core = openCore(options);
  const { clock } = core;
  const isPublicPassword = async (password: string, hash: PasswordHash | null) =>
    hash === publicPasswordHash(password);
  const opened = openTenants(fixtures, { ...core, clock: core.simulated, maxSignUps, scenario });
  const { live, changes } = opened;
  const load = async (values: GivenFixtures) => fixturesFromValues(values);
  const { storage, controls, ready, isPublished, follow } = serve(core, {
    storage: opened.storage,
    live,
    fixtures,
    load,
  });
  // Without pages, sessions of tenants go on after a logout.
  const isPublishedSession = (hash: SecretHash): boolean => !pages && isPublished(hash);
  const accounts = {
    ...plainAccounts,
    ...withoutLimits,
    hashPassword: async (password: string) => publicPasswordHash(password),
    isPassword: isPublicPassword,
    isPublishedSession,
  };
  const loadSite = async (settings: ComposeSettings): Promise<Site> => {
    const { demo, demoAccounts } = (await import('../simulation/handler-accounts.js')).handlerAccounts(live);
    const site = { ...settings, storage, demoAccounts, accounts: { ...accounts, demo } };
    return pages
      ? (await import('../start/all-rows.js')).allRows({ ...site, changes })
      : (await import('../pages/log-in.js')).logInForPrograms(site);
  };
  const respond = handlerDoor({ ...core, clock: live.now, storage, live, basePath, mayControl }, loadSite);
  core.simulation.names.serve({ pages: pages ? null : logInNames });
  /** The cookies that were set, of clients that keep none; null: one that was cleared, as by a logout. */
  const remembered = new Map<string, string | null>();
  /** Starts the session of a login before the page was loaded again. An account that signed up is gone. */
  const restore = async (): Promise<void> => {
    const login = kept?.read() ?? null;
    const user = login && (await storage.user({ userId: login.userId }));
    if (login === null || user === null || E.isLeft(user) || user.right === null) return;
    const { record } = newSession(login.userId, clock(), null);
    await storage.startSession({ ...record, hash: hashSecret(login.session) }, null);
    remembered.set(sessionCookieName, login.session);
    // From now on it is one of this page.
    kept?.write(login);
  };
  const keep = async (session: string | null): Promise<void> => {
    if (session === null) return kept?.write(null);
    const hash = hashSecret(session);
    const caller = await storage.caller({ session: hash, apiToken: null, at: timestampAt(clock()) });
    if (E.isRight(caller)) kept?.write({ userId: caller.right.userId, session });
  };
  const isReady = live.started.then(ready).then(restore);
  // Whoever sends a request is told.
  isReady.catch(() => {});
  const assumed = (): string | null => {
    if (session === undefined || session === false) return null;
    if (session === true) return controls.session;
    const named = tenantNamed(session, live.known(), (each) => each)?.name;
    return controls.tenants.find(({ name }) => name === named)?.session ?? session;
  };
  const { reset, setFixtures } = controls;
  const forget = (): void => {
    remembered.clear();
    kept?.write(null);
  };
  addProperties(controls, {
    reset: (name?: string) => (name === undefined ? reset().finally(forget) : reset(name)),
    setFixtures: (values: GivenFixtures) => setFixtures(values).finally(forget),
  });
  const answer = async (request: Request, { cookie, ...visit }: Visit): Promise<Answer> => {
    await isReady;
    // What a client without cookies logs in to is the session that its requests are assumed to have.
    const isAssumed = assumed() !== null && !/(?:^|; *)session=/.test(request.headers.get('cookie') ?? '');
    const remembers = visit.remembers || isAssumed;
    let followed = Promise.resolve();
    const cookiesFor: CookieHandling['cookiesFor'] = ({ authorization }) => {
      const cookies = new Map(remembered);
      if (cookie !== null || authorization !== undefined) cookies.set(sessionCookieName, cookie);
      else if (!cookies.has(sessionCookieName)) cookies.set(sessionCookieName, assumed());
      return new Map(Array.from(cookies).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
    };
    const onCookie: CookieHandling['onCookie'] = (name, value) => {
      const isSession = name === sessionCookieName;
      if (isSession && value !== null) followed = follow(value);
      if (!remembers) return;
      remembered.set(name, value);
      if (isSession) void keep(value);
    };
    const response = await respond(request, { cookiesFor, onCookie });
    await followed;
    return response;
  };
  return { answer, controls };
};
