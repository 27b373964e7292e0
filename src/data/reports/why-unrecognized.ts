import * as t from 'io-ts';
import { describe } from '../../contract/codecs/problem.js';
import { allFormats } from './all-formats.js';

/** How many keys an object has that is an error and nothing else. */
const maxErrorKeys = 4;

/** What tools write instead of a report if they fail. */
const Failure = t.union([
  t.type({ error: t.type({ summary: t.string }) }),
  t.type({ error: t.type({ message: t.string }) }),
  t.type({ errors: t.readonlyArray(t.type({ message: t.string })) }),
  t.type({ type: t.literal('error'), data: t.string }),
  t.refinement(t.type({ message: t.string }), (value) => Object.keys(value).length <= maxErrorKeys),
]);
type Failure = t.TypeOf<typeof Failure>;

const messageOf = (failure: Failure): string => {
  if ('type' in failure) return failure.data;
  if ('errors' in failure) return failure.errors[0]?.message ?? '';
  if ('message' in failure) return failure.message;
  return 'summary' in failure.error ? failure.error.summary : failure.error.message;
};

const maxMessageLength = 200;

/** How many keys of an object are named. */
const maxKeys = 10;

const objectText = (value: Readonly<Record<string, unknown>>): string => {
  const keys = Object.keys(value);
  if (keys.length === 0) return 'an empty object';
  const named = keys.slice(0, maxKeys).map((key) => describe(key));
  return `an object with the keys ${named.join(', ')}${keys.length > maxKeys ? `, and ${keys.length - maxKeys} more` : ''}`;
};

const found = (document: unknown): string => {
  if (t.UnknownRecord.is(document)) return objectText(document);
  if (!Array.isArray(document)) return describe(document);
  const first: unknown = document[0];
  return t.UnknownRecord.is(first)
    ? `an array of ${document.length}, whose first element is ${objectText(first)}`
    : `an array of ${document.length}, whose first element is ${describe(first)}`;
};

/** Says of a document what was looked for and what was found, or which error of a tool it is. */
export const whyUnrecognized = (document: unknown, index: number, count: number): string => {
  const which = count === 1 ? '' : `JSON document ${index + 1} of ${count}: `;
  const message = Failure.is(document) ? messageOf(document).trim() : '';
  if (message !== '')
    return `${which}is an error that a tool has reported, not a report: ${message.slice(0, maxMessageLength).toWellFormed()}`;
  const names = allFormats.map(({ name }) => name).join('; ');
  return `${which}has no known format: it is ${found(document)}; looked for ${names}`;
};
