import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { nextTurn } from '../common/timers.js';
import { Described, Nullable } from '../contract/codecs/combinators.js';
import { decode, type Problem } from '../contract/codecs/problem.js';
import type { ErrorBodyCodec } from '../contract/error-bodies.js';
import { etagOf } from './headers.js';

/** A value with its keys in the order of their codec, so that every storage yields the same bytes. */
export const inContractOrder = (codec: t.Mixed, value: unknown): unknown => {
  if (codec instanceof Described) return inContractOrder(codec.codec, value);
  if (codec instanceof Nullable) return value === null ? null : inContractOrder(codec.codec, value);
  if (codec instanceof t.ReadonlyArrayType) {
    return Array.isArray(value) ? value.map((item) => inContractOrder(codec.type, item)) : value;
  }
  if (!(codec instanceof t.ExactType && codec.type instanceof t.InterfaceType)) return value;
  if (!t.UnknownRecord.is(value)) return value;
  const ordered: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries<t.Mixed>(codec.type.props))
    ordered[key] = inContractOrder(inner, value[key]);
  return ordered;
};

/** What it takes to keep a body besides its bytes, in bytes: about. */
const overhead = 800;

/** How much longer a body gets by its compressed forms: each has about a fifth of its length. */
const withCompressed = 1.5;

export const jsonType = 'application/json; charset=utf-8';

/** A text as it is sent. Of one that is kept, there are only the bytes, the `ETag` and what is compressed. */
export class Content {
  /** The media type. */
  readonly type: string;
  #content: string | Uint8Array;
  #etag: string | null = null;
  readonly #compressed = new Map<ContentEncoding, Uint8Array | Promise<Uint8Array | null>>();

  constructor(type: string, content: string | Uint8Array) {
    this.type = type;
    this.#content = content;
  }

  get decoded(): string {
    return typeof this.#content === 'string' ? this.#content : new TextDecoder().decode(this.#content);
  }

  get bytes(): Uint8Array {
    if (typeof this.#content === 'string') this.#content = new TextEncoder().encode(this.#content);
    return this.#content;
  }

  get etag(): string {
    this.#etag ??= etagOf(this.bytes);
    return this.#etag;
  }

  /** About how much memory it takes to keep this, in bytes. */
  get weight(): number {
    return this.bytes.length * withCompressed + overhead;
  }

  /**
   * The bytes in an encoding, made once: with `br`, a page of 10 kB would take about four times as long if it
   * were compressed for each request. Null: there was no memory for it.
   */
  compressed(encoding: ContentEncoding, compress: Compress): Uint8Array | Promise<Uint8Array | null> {
    const existing = this.#compressed.get(encoding);
    if (existing !== undefined) return existing;
    const compressed = compress(this.bytes, encoding);
    this.#compressed.set(encoding, compressed);
    if (compressed instanceof Promise) {
      void compressed.then((bytes) => {
        if (bytes === null) this.#compressed.delete(encoding);
        else this.#compressed.set(encoding, bytes);
      });
    }
    return compressed;
  }
}

class RenderedJson<C extends t.Mixed> extends Content {
  /** Exists in the type only: nothing else, nor the rendering of another codec, is taken for this one. */
  declare protected readonly codec: C;

  constructor(json: string) {
    super(jsonType, json);
  }

  get json(): string {
    return this.decoded;
  }
}

/** How a body may be compressed. */
export type ContentEncoding = 'br' | 'gzip';

/** Compresses bytes. Null: there was no memory for it. */
export type Compress = (
  bytes: Uint8Array,
  encoding: ContentEncoding,
) => Uint8Array | Promise<Uint8Array | null>;

/**
 * JSON that the codec `C` accepts (contract, section 1, rules 1 and 3). Nothing outside this file can
 * construct one, and an operation can send nothing else; what is simulated has a type of its own.
 */
export type Rendered<C extends t.Mixed> = RenderedJson<C>;

/** Validates a value with a codec and serialises it. `left`: what breaks the contract. */
export const render = <C extends t.Mixed>(
  codec: C,
  value: t.TypeOf<C>,
): E.Either<readonly Problem[], Rendered<C>> =>
  pipe(
    decode<t.TypeOf<C>>(codec, inContractOrder(codec, value)),
    E.map((checked) => new RenderedJson<C>(JSON.stringify(codec.encode(checked)))),
  );

/** How many items of a list are rendered before others have their turn: some milliseconds of work. */
const itemsPerTurn = 100;

/** Renders as `render` does, but a long list in several turns, with other requests in between. */
export const renderInTurns = async <C extends t.Mixed>(
  codec: C,
  value: t.TypeOf<C>,
): Promise<E.Either<readonly Problem[], Rendered<C>>> => {
  const list: unknown = value;
  if (!(codec instanceof t.ReadonlyArrayType) || !Array.isArray(list) || list.length <= itemsPerTurn)
    return render(codec, value);
  const items: string[] = [];
  for (const [index, each] of list.entries()) {
    if (index > 0 && index % itemsPerTurn === 0) await nextTurn();
    const item = render(codec.type, each);
    if (E.isLeft(item))
      return E.left(item.left.map((problem) => ({ ...problem, path: [String(index), ...problem.path] })));
    items.push(item.right.json);
  }
  // The codec of a list accepts it exactly when its item codec accepts each item.
  return E.right(new RenderedJson<C>(`[${items.join(',')}]`));
};

/** An error body (contract, section 7): the text that its codec prescribes, or else `message`. */
export const renderError = <C extends ErrorBodyCodec>(codec: C, message: string): Rendered<C> => {
  const { error } = codec.type.props;
  return new RenderedJson(JSON.stringify({ error: error._tag === 'LiteralType' ? error.value : message }));
};
