import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type * as t from 'io-ts';
import { mismatch, type Problem } from '../codecs/problem.js';
import { decode } from '../contract/decode.js';
import type { ErrorBodyCodec } from '../contract/error-bodies.js';
import type { PageCodec, PageInfo } from '../contract/page.js';
import { inContractOrder } from './in-contract-order.js';
import { jsonWriter } from './json-writer.js';

/** What an object takes that holds a text, in bytes: about. */
const overhead = 200;

class RenderedJson<C extends t.Mixed> {
  /** Exists in the type only: it keeps the rendering of one codec from being taken for that of another. */
  declare readonly codec: C;
  readonly #json: string;

  constructor(json: string) {
    this.#json = json;
  }

  get json(): string {
    return this.#json;
  }

  /** About how much memory it takes, in bytes, together with the bytes that are sent. */
  get weight(): number {
    return 2 * this.#json.length + overhead;
  }
}

/**
 * JSON that the codec `C` accepts (contract, section 1, rule 3). `render` validates a whole value;
 * `renderList`, `renderPage` and `renderError` combine parts that are known to be valid. Nothing outside this
 * file can construct one, and nothing else can be sent.
 */
export type Rendered<C extends t.Mixed> = RenderedJson<C>;

/**
 * Validates a value with the codec of a response body, encodes it and serialises it. `left`: what breaks the
 * contract.
 */
export const render = <C extends t.Mixed>(
  codec: C,
  value: t.TypeOf<C>,
): E.Either<readonly Problem[], Rendered<C>> =>
  pipe(
    decode<t.TypeOf<C>>(codec, inContractOrder(codec, value)),
    E.map((checked) => new RenderedJson<C>(JSON.stringify(codec.encode(checked)))),
  );

/**
 * A function that renders values of one codec as `render` does. Where the codec allows it, valid values are
 * written at once; `render` says what is wrong with the others.
 */
export const renderWith = <C extends t.Mixed>(
  codec: C,
): ((value: t.TypeOf<C>) => E.Either<readonly Problem[], Rendered<C>>) => {
  const write = jsonWriter(codec);
  if (write === null) return (value) => render(codec, value);
  return (value) => {
    const json = write(value);
    return json === null ? render(codec, value) : E.right(new RenderedJson<C>(json));
  };
};

/**
 * A list of rendered items. It is not validated again: `_codec` accepts a list exactly when its item codec
 * accepts each item, and the type of the items says that it has.
 */
export const renderList = <Item extends t.Mixed>(
  _codec: t.ReadonlyArrayC<Item>,
  items: readonly Rendered<Item>[],
): Rendered<t.ReadonlyArrayC<Item>> => new RenderedJson(listJson(items));

/**
 * A page of rendered items (contract, section 2.4). The page codec validates the envelope, and says how many
 * items a page may have; the items, which the item codec of this very page has validated, take the place of
 * its empty list.
 */
export const renderPage = <Item extends t.Mixed>(
  codec: PageCodec<Item>,
  items: readonly Rendered<Item>[],
  info: PageInfo,
): E.Either<readonly Problem[], Rendered<PageCodec<Item>>> =>
  pipe(
    decode<t.TypeOf<PageCodec<Item>>>(codec, inContractOrder(codec, { ...info, items: [] })),
    E.filterOrElse(
      () => items.length <= codec.type.props.items.codec.maxItems,
      (): readonly Problem[] => [
        mismatch(['items'], `at most ${codec.type.props.items.codec.maxItems} items`, `${items.length}`),
      ],
    ),
    E.map((envelope) => {
      const fields = Object.entries(codec.encode(envelope)).map(
        ([name, value]) => `"${name}":${name === 'items' ? listJson(items) : JSON.stringify(value)}`,
      );
      return new RenderedJson(`{${fields.join(',')}}`);
    }),
  );

/** An error body (contract, section 7): the text that its codec prescribes, or else `message`. */
export const renderError = <C extends ErrorBodyCodec>(codec: C, message: string): Rendered<C> => {
  const { error } = codec.type.props;
  return new RenderedJson(JSON.stringify({ error: error._tag === 'LiteralType' ? error.value : message }));
};

const listJson = (items: readonly Rendered<t.Mixed>[]): string =>
  `[${items.map(({ json }) => json).join(',')}]`;
