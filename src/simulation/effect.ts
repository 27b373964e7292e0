import * as t from 'io-ts';
import { described } from '../contract/codecs/combinators.js';

/** What can go wrong with a response besides its status. */
export const FaultKind = described(
  t.keyof(
    { hang: null, drop: null, truncate: null, malformed: null, empty: null },
    'one of hang, drop, truncate, malformed, empty',
  ),
  '`hang`: no response until the client gives up; `drop`: the connection is cut in the middle of the body; `truncate`: half of the body; `malformed`: a body that is no valid JSON; `empty`: a list without rows.',
);
export type FaultKind = t.TypeOf<typeof FaultKind>;

/** The longest delay, in milliseconds: more than a day is surely a mistake. */
export const maxDelay = 24 * 60 * 60 * 1000;

/** What happens to a response: it comes later, with another status, or broken. */
export type Effect = Readonly<{
  /** The status to answer with instead; null: that of the real response. */
  code: number | null;
  /** Milliseconds to wait first. */
  delay: number;
  kind: FaultKind | null;
}>;

/** An effect in words, as headers and the journal show it: `code=503, delay=800`. */
export const effectText = ({ code, delay, kind }: Effect): string =>
  [
    ...(code === null ? [] : [`code=${code}`]),
    ...(delay === 0 ? [] : [`delay=${delay}`]),
    ...(kind === null ? [] : [kind]),
  ].join(', ');
