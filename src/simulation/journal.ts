import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { clientGone, operationNameOf, type ServiceRequest, shownTarget } from '../api/request.js';
import type { Observe } from '../api/service.js';
import type { Clock } from '../common/clock.js';
import { sleep } from '../common/concurrency.js';
import { type Later, runAfter } from '../common/timers.js';
import { described, nullable, optional } from '../contract/codecs/combinators.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { Count, FiniteNumber, integerFrom, StringCodec } from '../contract/codecs/text-and-numbers.js';
import { Timestamp, timestampAt, UtcTime } from '../contract/codecs/timestamp.js';
import type { Exchange } from './exchange.js';
import { standsFor, tenantNames } from './known-names.js';
import { isControlPath } from './paths.js';

/** A request in the journal, without what may be a secret. */
export const JournalEntry = new StrictObject(
  {
    number: described(integerFrom(1), 'The first request has 1.'),
    at: described(Timestamp, 'When it came, by the clock of the server.'),
    requestId: described(t.string, 'As in the header `X-Request-Id`, and in the log.'),
    method: described(t.string, 'Its method.'),
    url: described(t.string, 'Its path and query, without what may be a secret.'),
    operation: described(t.string, 'The operation, or the method and the path of another route.'),
    status: described(Count, 'The status of the response; 499: the client had left before.'),
    milliseconds: described(FiniteNumber, 'The time until the response was handed to the system.'),
    tenant: described(nullable(t.string), 'The id of the user on whose behalf it acted; null: of nobody.'),
    simulated: described(nullable(t.string), 'What was simulated, and by which rule; null: nothing.'),
    warning: described(nullable(t.string), 'What `X-Triage-Warning` said; null: nothing.'),
  },
  'JournalEntry',
);
export type JournalEntry = t.TypeOf<typeof JournalEntry>;

/** A request that has been answered. Its target is as the client sent it, and may contain a secret. */
type JournalNote = Omit<JournalEntry, 'number' | 'at' | 'url'> &
  Readonly<{
    /** When it came, by the clock of the server. */
    at: number;
    target: string;
  }>;

const Status = new StringCodec('a status as text, such as "503"', { pattern: /^[1-5]\d\d$/ });

const Since = new StringCodec(
  'a number of a request, or a moment in UTC such as 2026-11-20T12:00:00Z',
  {},
  (text) => /^\d{1,15}$/.test(text) || UtcTime.decode(text)._tag === 'Right',
);

export const JournalFilter = new StrictObject(
  {
    operation: described(optional(t.string), 'Only requests of this operation, or of this page.'),
    tenant: described(optional(t.string), `Only requests on behalf of this tenant: ${tenantNames}.`),
    status: described(optional(Status), 'Only requests that were answered with this status.'),
    since: described(
      optional(Since),
      'Only requests after the one with this number, or from this moment on.',
    ),
  },
  'JournalFilter',
);
export type JournalFilter = t.TypeOf<typeof JournalFilter>;

/** How many exchanges a journal keeps. */
const maxExchanges = 100;

/** A journal of the latest `size` requests; 0 keeps none. The first request has the number 1. */
export const journal = (size: number) => {
  // A ring: the oldest one stands where the next one goes.
  let ring: JournalNote[] = [];
  let added = 0;
  let exchanges: Readonly<{ number: number; make: () => Exchange }>[] = [];
  /** Called after each request, by those who wait for one. */
  const watchers = new Set<() => void>();
  return {
    add: (note: JournalNote): number => {
      const oldest = ring[added % size];
      // Another note for each request would cost the collection of garbage a tenth of a request's time.
      if (oldest !== undefined) Object.assign(oldest, note);
      else if (size > 0) ring.push(note);
      added += 1;
      for (const look of watchers) look();
      return added;
    },
    /** Keeps what was sent for the request with a number, of the latest hundred. */
    keepExchange: (number: number, make: () => Exchange): void => {
      const place = number % maxExchanges;
      // A slow request may end after a hundred later ones.
      if ((exchanges[place]?.number ?? 0) < number) exchanges[place] = { number, make };
    },
    /** What was sent for the request with a number; null: it is not kept. */
    exchange: (number: number): Exchange | null => {
      const kept = exchanges[number % maxExchanges];
      return kept?.number === number ? kept.make() : null;
    },
    /** How many requests there were. */
    count: () => added,
    watch: (look: () => void) => {
      watchers.add(look);
      return () => void watchers.delete(look);
    },
    /** What a filter lets through, the oldest first. `KnownNames` makes a user id of its tenant. */
    entries: (filter: Partial<JournalFilter>): readonly JournalEntry[] => {
      const oldest = added % size;
      return [...ring.slice(oldest), ...ring.slice(0, oldest)]
        .map((note, i) => ({ number: added - ring.length + i + 1, note }))
        .filter((each) => passes(filter, each))
        .map(({ number, note: { at, target, ...rest } }) => ({
          number,
          at: timestampAt(at),
          url: shownTarget(target),
          ...rest,
        }));
    },
    /** Each tenant or operation of these requests, once. */
    seen: (key: 'tenant' | 'operation'): readonly string[] =>
      Array.from(new Set(ring.map((note) => note[key]))).filter((each) => each !== null),
    clear: (): void => {
      ring = [];
      added = 0;
      exchanges = [];
    },
  };
};

export type Journal = ReturnType<typeof journal>;

type Facts = Pick<JournalNote, 'operation' | 'tenant' | 'status'>;

/** What of a filter a request does not meet. */
const missed = ({ operation, tenant, status }: Partial<JournalFilter>, facts: Facts) =>
  [
    operation === undefined || standsFor(operation, facts.operation),
    tenant === undefined || tenant === facts.tenant,
    status === undefined || status === String(facts.status),
  ].filter((isMet) => !isMet);

const passes = (
  { since, ...filter }: Partial<JournalFilter>,
  { number, note }: Readonly<{ number: number; note: JournalNote }>,
): boolean =>
  missed(filter, note).length === 0 &&
  (since === undefined || (/^\d+$/.test(since) ? number > Number(since) : note.at >= Date.parse(since)));

/** The longest time to wait for a request, in milliseconds. */
const maxWait = 20_000;

/**
 * Waits for the next request that a filter lets through: the first one after its `since`, or else from now
 * on. `left`: none came in so many milliseconds, and which one was the nearest.
 */
export const nextRequest = async (
  { count, entries, watch }: Journal,
  { since = String(count()), ...filter }: Partial<JournalFilter>,
  patience: number,
  stopping: AbortSignal,
): Promise<E.Either<string, JournalEntry>> => {
  const wait = Math.min(Math.max(patience, 0), maxWait);
  const find = () => entries({ ...filter, since })[0];
  const untilFound: Later = (milliseconds, end) => {
    const cancel = [runAfter(milliseconds, end), watch(() => find() !== undefined && end())];
    return () => {
      for (const each of cancel) each();
    };
  };
  if (find() === undefined) await sleep(wait, stopping, { later: untilFound });
  const found = find();
  if (found !== undefined) return E.right(found);
  const misses = (entry: JournalEntry): number => missed(filter, entry).length;
  const [nearest] = [...entries({ since })].sort((l, r) => misses(l) - misses(r));
  const { method, url, operation, status, tenant } = nearest ?? {};
  const shown = nearest && `${method} ${url} (${operation}), ${status}, of the tenant ${tenant}`;
  return E.left(`request ${JSON.stringify(filter)} in ${wait} ms; the nearest is ${shown ?? 'none'}`);
};

/** How much of a target the journal keeps: pages and answers show many requests at once. */
const maxTarget = 1000;

/**
 * Notes in a journal what was sent for each request: to an operation always; to anything else unless
 * `isQuiet`, or the journal would fill by being looked at. `elapsed`: a monotonic clock in milliseconds.
 */
export const journalObserver =
  (
    { add }: Pick<Journal, 'add'>,
    { clock, elapsed }: Readonly<{ clock: Clock; elapsed: Clock }>,
    { isQuiet = () => false }: Readonly<{ isQuiet?: (request: ServiceRequest, status: number) => boolean }>,
  ): Observe =>
  () => {
    const started = elapsed();
    return ({ request, row }, outcome) => {
      const status = typeof outcome === 'string' ? clientGone : outcome.status;
      const isOperation = row !== null && row.operation !== null;
      if (!isOperation && (isControlPath(request.path) || isQuiet(request, status))) return;
      const { id, method, target, notes } = request;
      const { tenantId = null, simulated = null, warning = null } = notes;
      notes.number = add({
        at: clock(),
        requestId: id,
        method,
        target: target.length > maxTarget ? `${shownTarget(target).slice(0, maxTarget)}…` : target,
        operation: operationNameOf(request),
        status,
        milliseconds: Math.round(elapsed() - started),
        tenant: tenantId,
        simulated,
        warning,
      });
    };
  };
