import { memo } from '../../common/memo.js';

/** How a body may be compressed, the better one first. */
export const contentEncodings = ['br', 'gzip'] as const;
export type ContentEncoding = (typeof contentEncodings)[number];

/** What a client makes of compressed bodies. */
export type AcceptedEncoding = Readonly<{
  /** The encoding that it prefers among ours; null: none, or the body as it is. */
  encoding: ContentEncoding | null;
  /** Whether it refuses a body as it is, however short. */
  refusesIdentity: boolean;
}>;

/** An element of `Accept-Encoding`: a coding with its weight, which has at most three decimals. */
const element = /^([!#$%&'*+.^_`|~0-9a-z-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/;

/** How much of a header is read. */
const maxLength = 1000;

/** The elements that are read: of a longer header, those that end within the limit. */
const elementsOf = (header: string): readonly string[] =>
  (header.length > maxLength ? header.slice(0, Math.max(0, header.lastIndexOf(',', maxLength))) : header)
    .toLowerCase()
    .split(',');

const read = (header: string): AcceptedEncoding => {
  const weights = new Map<string, number>();
  for (const text of elementsOf(header)) {
    // What is not well-formed says nothing.
    const [, coding, weight = '1'] = element.exec(text.trim()) ?? [];
    if (coding !== undefined) weights.set(coding === 'x-gzip' ? 'gzip' : coding, Number(weight));
  }
  const any = weights.get('*');
  const [best = null] = contentEncodings
    .map((encoding) => ({ encoding, weight: weights.get(encoding) ?? any ?? 0 }))
    .filter(({ weight }) => weight > 0)
    .sort((left, right) => right.weight - left.weight);
  const identity = weights.get('identity');
  const refusesIdentity = (identity ?? any) === 0;
  // A client that names the body as it is and gives it more weight shall get it.
  const prefersIdentity = best !== null && identity !== undefined && identity > best.weight;
  return { encoding: prefersIdentity ? null : (best?.encoding ?? null), refusesIdentity };
};

/**
 * Returns a function that reads `Accept-Encoding` (RFC 9110, section 12.5.3). Most clients send one of a few
 * values, of which it remembers what they mean.
 */
export const encodingReader = (): ((header: string) => AcceptedEncoding) => {
  const known = memo<AcceptedEncoding>();
  return (header) => known(header, () => read(header));
};

/** From how many bytes on a body is compressed: a shorter one is sent in one packet anyway. */
export const minCompressedLength = 1024;
