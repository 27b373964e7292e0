import * as t from 'io-ts';
import { byteLength, newBytes, utf8Text, writeUtf8 } from '#platform';
import { described } from '../contract/codecs/described.js';
import { nullable } from '../contract/codecs/nullable.js';
import { Count, FiniteNumber, integerFrom } from '../contract/codecs/numbers.js';
import { optional } from '../contract/codecs/optional.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { StringCodec } from '../contract/codecs/string-codec.js';
import { Timestamp, timestampAt } from '../contract/codecs/timestamp.js';
import { UtcTime } from '../contract/codecs/utc-time.js';

/** A request that has been answered. Its target is as the client sent it, and may contain a secret. */
export type JournalNote = Readonly<{
  /** When it came, by the clock of the server. */
  at: number;
  requestId: string;
  method: string;
  target: string;
  operation: string;
  status: number;
  milliseconds: number;
  tenant: string | null;
  /** What was simulated; null: nothing. */
  simulated: string | null;
  /** What the response warned of; null: nothing. */
  warning: string | null;
}>;

/** How many bytes of text a slot has room for: enough for nearly all requests. */
const textSize = 256;

/**
 * A place in the journal for one note after the other. Texts that are new with each request are copied as
 * bytes, and all else is a number or a text that exists anyway. So nothing that a request has allocated
 * outlives it: with a thousand notes kept as they are, garbage collection took a fifth of the throughput.
 */
class JournalSlot {
  #at = 0;
  #status = 0;
  #milliseconds = 0;
  #method = '';
  #operation = '';
  #tenant: string | null = null;
  #simulated: string | null = null;
  #warning: string | null = null;
  readonly #text = newBytes(textSize);
  #requestIdEnd = 0;
  #targetEnd = 0;
  /** The texts, if they have no room. */
  #long: Pick<JournalNote, 'requestId' | 'target'> | null = null;

  put(note: JournalNote): void {
    const { requestId, target } = note;
    this.#at = note.at;
    this.#status = note.status;
    this.#milliseconds = note.milliseconds;
    this.#method = note.method;
    this.#operation = note.operation;
    this.#tenant = note.tenant;
    this.#simulated = note.simulated;
    this.#warning = note.warning;
    if (byteLength(requestId) + byteLength(target) > textSize) {
      this.#long = { requestId, target };
      return;
    }
    this.#long = null;
    this.#requestIdEnd = writeUtf8(this.#text, requestId, 0);
    this.#targetEnd = this.#requestIdEnd + writeUtf8(this.#text, target, this.#requestIdEnd);
  }

  note(): JournalNote {
    const texts = this.#long ?? {
      requestId: utf8Text(this.#text, 0, this.#requestIdEnd),
      target: utf8Text(this.#text, this.#requestIdEnd, this.#targetEnd),
    };
    return {
      at: this.#at,
      requestId: texts.requestId,
      method: this.#method,
      target: texts.target,
      operation: this.#operation,
      status: this.#status,
      milliseconds: this.#milliseconds,
      tenant: this.#tenant,
      simulated: this.#simulated,
      warning: this.#warning,
    };
  }
}

/** A note with its number: the first request of the server has 1. */
type NumberedNote = Readonly<{ number: number; note: JournalNote }>;

/** The latest requests. */
export type Journal = Readonly<{
  add: (note: JournalNote) => void;
  /** The notes that are kept, the oldest first. */
  notes: () => readonly NumberedNote[];
  clear: () => void;
}>;

/** How many requests a journal keeps if nothing else is said. */
export const defaultJournalSize = 1000;

/** A journal of the latest `size` requests; 0 keeps none. */
export const journal = (size: number): Journal => {
  let slots: JournalSlot[] = [];
  let added = 0;
  /** Slots are made when they are first needed, and then used again. */
  const nextSlot = (): JournalSlot => {
    const index = added % size;
    const slot = slots[index] ?? new JournalSlot();
    slots[index] = slot;
    return slot;
  };
  return {
    add: (note) => {
      if (size > 0) nextSlot().put(note);
      added += 1;
    },
    notes: () => {
      const oldest = added - slots.length;
      const start = slots.length < size ? 0 : added % size;
      return [...slots.slice(start), ...slots.slice(0, start)].map((slot, index) => ({
        number: oldest + index + 1,
        note: slot.note(),
      }));
    },
    clear: () => {
      slots = [];
      added = 0;
    },
  };
};

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

const Since = new StringCodec<string>(
  'a number of a request, or a moment in UTC such as 2026-11-20T12:00:00Z',
  {},
  (u): u is string => typeof u === 'string' && (/^\d{1,15}$/.test(u) || UtcTime.decode(u)._tag === 'Right'),
);

/** Which requests of a journal are meant. */
export const JournalFilter = new StrictObject(
  {
    operation: described(optional(t.string), 'Only requests of this operation.'),
    tenant: described(optional(t.string), 'Only requests on behalf of the user with this id.'),
    status: described(
      optional(
        new StringCodec<string>(
          'a status as text, such as "503"',
          { pattern: /^[1-5]\d\d$/ },
          (u): u is string => typeof u === 'string' && /^[1-5]\d\d$/.test(u),
        ),
      ),
      'Only requests that were answered with this status.',
    ),
    since: described(
      optional(Since),
      'Only requests after the one with this number, or from this moment on.',
    ),
  },
  'JournalFilter',
);
export type JournalFilter = t.TypeOf<typeof JournalFilter>;

/**
 * The requests of a journal that a filter lets through, the oldest first. `shown` hides what may be a secret.
 */
export const journalEntries = (
  journal: Journal,
  filter: JournalFilter,
  shown: (target: string) => string,
): readonly JournalEntry[] => journal.notes().filter(passes(filter)).map(entryOf(shown));

const passes =
  ({ operation, tenant, status, since }: JournalFilter) =>
  ({ number, note }: NumberedNote): boolean =>
    (operation === undefined || operation === note.operation) &&
    (tenant === undefined || tenant === note.tenant) &&
    (status === undefined || status === String(note.status)) &&
    (since === undefined || isSince(since, number, note.at));

const isSince = (since: string, number: number, at: number): boolean =>
  /^\d+$/.test(since) ? number > Number(since) : at >= Date.parse(since);

const entryOf =
  (shown: (target: string) => string) =>
  ({ number, note }: NumberedNote): JournalEntry => {
    const { at, target, ...rest } = note;
    return { number, at: timestampAt(at), url: shown(target), ...rest };
  };
