import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { byteLength, newBytes, utf8Text, writeUtf8 } from '#platform';
import { Described, Nullable } from '../../contract/codecs/combinators.js';
import { decode, type Problem } from '../../contract/codecs/problem.js';
import type { ErrorBodyCodec } from '../../contract/error-bodies.js';
import type { PageCodec, PageInfo } from '../../contract/page-and-limit.js';
import { jsonWriter } from './json-writer.js';

/**
 * A value with the keys of its objects in the order of their codec, so that every storage yields the same
 * bytes. Keys that the codec does not know are left out.
 */
export const inContractOrder = (codec: t.Mixed, value: unknown): unknown => {
  if (codec instanceof Described) return inContractOrder(codec.codec, value);
  if (codec instanceof Nullable) return value === null ? null : inContractOrder(codec.codec, value);
  if (codec instanceof t.ReadonlyArrayType) {
    return Array.isArray(value) ? value.map((item) => inContractOrder(codec.type, item)) : value;
  }
  if (!(codec instanceof t.ExactType && codec.type instanceof t.InterfaceType)) return value;
  if (!t.UnknownRecord.is(value)) return value;
  const props: t.Props = codec.type.props;
  return Object.fromEntries(
    Object.entries(props).map(([key, inner]) => [key, inContractOrder(inner, value[key])]),
  );
};

/** What it takes to keep a body besides its bytes, in bytes: about. */
const overhead = 800;

class RenderedJson<C extends t.Mixed> {
  /** Exists in the type only: it keeps the rendering of one codec from being taken for that of another. */
  declare readonly codec: C;
  #content: string | Uint8Array;
  #isKept = false;

  constructor(json: string) {
    this.#content = json;
  }

  get json(): string {
    const content = this.#content;
    return typeof content === 'string' ? content : utf8Text(content, 0, content.length);
  }

  /**
   * What is sent: bytes, or a text of ASCII characters, each of which is a byte. A body that is sent once is
   * best sent as a text, because the engine disposes of many buffers with difficulty.
   */
  get content(): string | Uint8Array {
    const content = this.#content;
    return typeof content === 'string' && byteLength(content) !== content.length ? this.#bytes() : content;
  }

  /** Prepares it for being kept and sent again. Returns about how much memory it takes, in bytes. */
  keep(): number {
    this.#isKept = true;
    return this.#bytes().length + overhead;
  }

  /** Whether it was prepared for being sent again, so that what is made of it may be kept as well. */
  get isKept(): boolean {
    return this.#isKept;
  }

  #bytes(): Uint8Array {
    if (typeof this.#content !== 'string') return this.#content;
    // With memory of its own: a small part of a large buffer would keep all of that in memory.
    const bytes = newBytes(byteLength(this.#content));
    writeUtf8(bytes, this.#content, 0);
    this.#content = bytes;
    return bytes;
  }
}

/**
 * JSON that the codec `C` accepts (contract, section 1, rule 3). `render` validates a whole value;
 * `renderList` and `renderError` combine parts that are known to be valid. Nothing outside this file can
 * construct one, and nothing else can be sent.
 */
export type Rendered<C extends t.Mixed> = RenderedJson<C>;

/** Renders values of one codec; `left`: what breaks the contract. */
type Render<A, C extends t.Mixed> = (value: A) => E.Either<readonly Problem[], Rendered<C>>;

/**
 * Validates a value with the codec of a response body, encodes it and serialises it. `left`: what breaks the
 * contract.
 */
export const render = <C extends t.Mixed>(
  codec: C,
  value: t.TypeOf<C>,
): E.Either<readonly Problem[], Rendered<C>> => renderUnknown(codec, value);

const renderUnknown = <C extends t.Mixed>(
  codec: C,
  value: unknown,
): E.Either<readonly Problem[], Rendered<C>> =>
  pipe(
    decode<t.TypeOf<C>>(codec, inContractOrder(codec, value)),
    E.map((checked) => new RenderedJson<C>(JSON.stringify(codec.encode(checked)))),
  );

/**
 * A function that renders values of one codec as `render` does. Where the codec allows it, valid values are
 * written at once; `render` says what is wrong with the others.
 */
export const renderWith = <C extends t.Mixed>(codec: C): Render<t.TypeOf<C>, C> => renderUnknownWith(codec);

const renderUnknownWith = <C extends t.Mixed>(codec: C): Render<unknown, C> => {
  const write = jsonWriter(codec);
  if (write === null) return (value) => renderUnknown(codec, value);
  return (value) => {
    const json = write(value);
    return json === null ? renderUnknown(codec, value) : E.right(new RenderedJson<C>(json));
  };
};

/**
 * A list of rendered items. It is not validated again: `_codec` accepts a list exactly when its item codec
 * accepts each item, and the type of the items says that it has.
 */
export const renderList = <Item extends t.Mixed>(
  _codec: t.ReadonlyArrayC<Item>,
  items: readonly Rendered<Item>[],
): Rendered<t.ReadonlyArrayC<Item>> => new RenderedJson(`[${items.map(({ json }) => json).join(',')}]`);

/** The items of a page, and what its envelope says besides. */
type PageContent<Item extends t.Mixed> = Readonly<{
  items: readonly t.TypeOf<Item>[];
  info: PageInfo;
}>;

/** A function that renders pages (contract, section 2.4), as `renderWith` does. */
export const renderPagesWith = <Item extends t.Mixed>(
  codec: PageCodec<Item>,
): Render<PageContent<Item>, PageCodec<Item>> => {
  const renderPage = renderUnknownWith(codec);
  return ({ items, info }) => renderPage({ items, ...info });
};

/** An error body (contract, section 7): the text that its codec prescribes, or else `message`. */
export const renderError = <C extends ErrorBodyCodec>(codec: C, message: string): Rendered<C> => {
  const { error } = codec.type.props;
  return new RenderedJson(JSON.stringify({ error: error._tag === 'LiteralType' ? error.value : message }));
};
