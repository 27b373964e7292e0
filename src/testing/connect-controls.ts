/** What `triage-api/controls` exports: the controls of a server elsewhere (docs/testing.md). */
import * as E from '#fp-ts/Either';
import { fetchSend } from '../client/fetch-send.js';
import { escapeControlCharacters, TriageApiError } from '../common/messages.js';
import type { MadeTenant } from '../simulation/on-demand-tenant.js';
import type { ClockState } from '../simulation/simulated-clock.js';
import { durationText, jsonOf } from './sent-values.js';
import type {
  AddedRule,
  Controls,
  CreatedTenant,
  FaultRule,
  Faults,
  JournalEntry,
  JournalFilter,
  Reset,
  TenantOptions,
  TestClock,
} from './test-controls.js';

export type * from './test-controls.js';
export { TriageApiError };

/** The same functions, each of which returns a promise. */
type Promised<T> = {
  readonly [Name in keyof T]: T[Name] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : T[Name];
};

/** A tenant that was made on a server elsewhere. */
export type RemoteTenant = Omit<CreatedTenant, 'clock'> & Readonly<{ clock: Promised<TestClock> }>;

type RemoteFaults = Omit<Promised<Faults>, 'add'> &
  Readonly<{ add: (...rule: Parameters<Faults['add']>) => Promise<AddedRule<Promise<void>>> }>;

/**
 * The controls of a server elsewhere: those of a server in the test, but that each returns a promise. All
 * reject with a `TriageApiError`.
 */
export type RemoteControls = Pick<
  Controls<never>,
  'patch' | 'insert' | 'remove' | 'reset' | 'expireSession' | 'setCredentials' | 'removeTenant' | 'waitFor'
> &
  Readonly<{
    clock: Promised<TestClock>;
    /** Freezes the clock at a moment. The data stays as it was loaded, unlike with `clock.set`. */
    setNow: (moment: string | Date) => Promise<void>;
    faults: RemoteFaults;
    createTenant: (options?: TenantOptions) => Promise<RemoteTenant>;
    requests: (filter?: Partial<JournalFilter>) => Promise<readonly JournalEntry[]>;
  }>;

/** The controls of a server here or there: with `await`, the same code works with both. */
export type AnyControls = RemoteControls | Pick<Controls<never>, keyof RemoteControls>;

/** Which server, and what the controls are about. */
export type ControlsOptions = Readonly<{
  /** The base URL of the server. */
  url: string | URL;
  /** The token of its option `--admin-token`; not needed on the machine of the server. */
  token?: string | undefined;
  /**
   * The tenant that changes, `reset`, rules, the journal and the clock are about if a call names none; rules
   * of others are neither listed nor removed. For the clock, it has to be one that was made on demand. Left
   * out: all but changes are about the whole server, and changes have to name a tenant.
   */
  tenant?: string | undefined;
  /** What sends a request instead of the `fetch` of the platform. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
}>;

const mergePatch = 'application/merge-patch+json';

/** The controls of the server at a URL. Sends no request before one of them is called. */
export const connectControls = (options: ControlsOptions): RemoteControls => {
  const { url, token, tenant, fetch } = options;
  const root = `${String(url).replace(/\/+$/, '')}/__admin`;
  const sendRequest = senderTo(root, fetch);

  /** Sends a request to a control. What comes back was rendered by the codecs of the server. */
  const send = async (method: Method, path: string, body?: unknown, type = 'application/json') => {
    const problem = (text: string) => new TriageApiError([`${method} ${root}${path}: ${text}`]);
    const headers = {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': type }),
    };
    const content = body !== undefined && { body: sent(body, problem) };
    const result = await sendRequest({ method, target: path, headers, ...content });
    if (E.isLeft(result))
      throw problem(
        result.left._tag === 'Unreachable'
          ? `the server cannot be reached (${result.left.reason})`
          : `the response is longer than ${result.left.maxBytes} bytes`,
      );
    const { status, text } = result.right;
    const value = parsed(text);
    const message = isObject(value) ? value.error : undefined;
    if (status >= 200 && status < 300) return { value, isMissing: false };
    if (status >= 300 && status < 400) throw problem(`status ${status}: redirects are not followed`);
    if (status === 404 && message === 'Not found')
      throw problem(
        'there are no controls, or they are not open to this program: pass `token` (--admin-token)',
      );
    if (status === 404 && method === 'DELETE') return { value, isMissing: true };
    throw problem(typeof message === 'string' ? escapeControlCharacters(message) : `status ${status}`);
  };
  const use = async (...request: Parameters<typeof send>): Promise<unknown> => (await send(...request)).value;
  const remove = async (path: string): Promise<boolean> => !(await send('DELETE', path)).isMissing;
  const answered = async <A>(used: Promise<unknown>, is: (value: unknown) => value is A): Promise<A> => {
    const value = await used;
    if (is(value)) return value;
    throw new TriageApiError([`${root}: the answer is not that of a server of this version`]);
  };
  const clockAt = (path: string): Promised<TestClock> => {
    const change = async (by: object): Promise<void> => {
      await use('PUT', `${path}/clock`, by);
    };
    return {
      now: async () => (await answered(use('GET', `${path}/clock`), isClock)).now,
      set: async (moment) => change({ now: momentOf(moment) }),
      advance: (duration) => change({ advance: durationText(duration) }),
      run: () => change({ running: true }),
      release: async () => {
        await use('DELETE', `${path}/clock`);
      },
    };
  };
  const pathOf = (name: string): string => `/tenants/${segment(name)}`;
  const changed = (what: string, name = tenant): string => {
    if (name !== undefined) return pathOf(name);
    throw new TriageApiError([`${what}: name a tenant here, or as \`tenant\` of connectControls`]);
  };
  const patch = async (what: string, name: string | undefined, by: object): Promise<void> => {
    await use('POST', `${changed(what, name)}/patch`, by, mergePatch);
  };
  const setCredentials = async (states: object, name?: string): Promise<void> => {
    await use('PUT', `${changed('setCredentials', name)}/credentials`, states);
  };
  const queryOf = (fields: object): URLSearchParams => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ tenant, ...fields }))
      if (value !== undefined) query.set(name, String(value));
    return query;
  };
  const of = (name = tenant): string =>
    name === undefined ? '' : `?${new URLSearchParams({ tenant: name })}`;
  const faults: RemoteFaults = {
    add: async (rule) => {
      const added = await answered(
        use('POST', '/faults', tenant === undefined ? rule : { tenant, ...rule }),
        isRule,
      );
      return { ...added, release: async () => void (await faults.remove(added.id)) };
    },
    list: () => answered(use('GET', `/faults${of()}`), isListOf(isRule)),
    remove: async (id) => remove(`/faults/${segment(id)}${of()}`),
    clear: async () => {
      await use('DELETE', `/faults${of()}`);
    },
  };
  const ofClock = tenant === undefined ? '' : pathOf(tenant);
  const clock = clockAt(ofClock);
  return {
    clock,
    setNow: async (moment) => {
      const text = momentOf(moment);
      const at = /Z$/.test(text) ? Date.parse(text) : Number.NaN;
      if (Number.isNaN(at))
        throw new TriageApiError([
          `setNow: expected a moment in UTC such as 2026-11-20T12:00:00Z, or a Date, got "${text}"`,
        ]);
      // Once the clock stands still, the distance to the moment is exact.
      const { now } = await answered(use('PUT', `${ofClock}/clock`, { running: false }), isClock);
      await clock.advance(at - Date.parse(now));
    },
    faults,
    patch: (collection, id, fields, name) => patch('patch', name, { [collection]: { [id]: fields } }),
    insert: (collection, row, name) => patch('insert', name, { [collection]: { '': row } }),
    remove: (collection, id, name) => patch('remove', name, { [collection]: { [id]: null } }),
    reset: (name) => answered(use('POST', `/reset${of(name)}`), isReset),
    expireSession: (name) => setCredentials({ session: 'expired' }, name),
    setCredentials,
    createTenant: async (wanted = {}) => {
      const made = await answered(use('POST', '/tenants', wanted), isTenant);
      const { id, user, session, token: bearer, password, expiresAt } = made;
      return { name: id, user, session, token: bearer, password, expiresAt, clock: clockAt(pathOf(id)) };
    },
    removeTenant: async (name) => remove(pathOf(name)),
    requests: async (filter = {}) => answered(use('GET', `/requests?${queryOf(filter)}`), isListOf(isEntry)),
    waitFor: async (filter, within = '5s') => {
      const query = queryOf({ ...filter, within: durationText(within) });
      return answered(use('GET', `/requests/next?${query}`), isEntry);
    },
  };
};

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Sends requests to an address, without following redirects, within the time and length of a client. */
const senderTo = (root: string, fetch: ControlsOptions['fetch']) => {
  try {
    return fetchSend({ baseUrl: root, ...(fetch !== undefined && { fetch }) });
  } catch {
    throw new TriageApiError(['connectControls: url: expected an http or https URL without user and query']);
  }
};

/** A name as a segment of a path. A URL has no place for those that mean the folder itself, or its parent. */
const segment = (name: string): string => {
  if (name !== '.' && name !== '..') return encodeURIComponent(name);
  throw new TriageApiError([`"${name}" is no name of a tenant or a rule`]);
};

/** A moment as it is sent. A date that is none is left to the server, which says what it expects. */
const momentOf = (moment: string | Date): string =>
  moment instanceof Date && !Number.isNaN(moment.getTime()) ? moment.toISOString() : String(moment);

/** The JSON of a body, or an error. */
const sent = (body: unknown, problem: (text: string) => TriageApiError): string => {
  try {
    return jsonOf(body);
  } catch (error) {
    throw problem(error instanceof Error ? error.message : String(error));
  }
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

// Answers are told apart by a field alone: codecs would make this entry three times as large.
const isClock = (value: unknown): value is ClockState => isObject(value) && typeof value.now === 'string';
const isRule = (value: unknown): value is FaultRule => isObject(value) && typeof value.applied === 'number';
const isReset = (value: unknown): value is Reset => isObject(value) && typeof value.rules === 'number';
const isTenant = (value: unknown): value is MadeTenant =>
  isObject(value) && typeof value.session === 'string';
const isEntry = (value: unknown): value is JournalEntry =>
  isObject(value) && typeof value.number === 'number';
const isListOf =
  <A>(is: (value: unknown) => value is A) =>
  (value: unknown): value is readonly A[] =>
    Array.isArray(value) && value.every(is);
