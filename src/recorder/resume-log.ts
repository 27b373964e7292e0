import * as t from 'io-ts';
import type { TaskEither } from '#fp-ts/TaskEither';
import { listOf } from '../codecs/list.js';
import { nullable } from '../codecs/nullable.js';
import { Integer } from '../codecs/numbers.js';

/**
 * A valid response and the request that it belongs to. `date` is the server's clock in milliseconds since
 * 1970; null if the response had no valid `Date` header. `undefinedFields` were left out of the body.
 */
export const SavedResponse = t.strict(
  {
    request: t.string,
    status: Integer,
    date: nullable(Integer),
    body: t.unknown,
    undefinedFields: listOf(t.string),
  },
  'saved response',
);
export type SavedResponse = t.TypeOf<typeof SavedResponse>;

/**
 * The valid responses of a recording, in order. Given the same responses, a recording sends the same requests
 * in the same order, so an interrupted one resumes by replaying its log.
 */
export type ResumeLog = Readonly<{
  /** The responses of earlier runs. */
  saved: readonly SavedResponse[];
  /** Saves one more response. `left`: why it could not be saved. */
  append: (response: SavedResponse) => TaskEither<string, void>;
  /** Discards all responses but the first ones. `left`: why it was not possible. */
  keepFirst: (count: number) => TaskEither<string, void>;
}>;
