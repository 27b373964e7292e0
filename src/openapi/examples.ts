import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import text from '../../assets/examples.json.text.js';
import { JsonValue } from '../common/json.js';
import { listOf } from '../contract/codecs/combinators.js';
import { formatProblem, problemsOf } from '../contract/codecs/problem.js';

/** A response to one request. `key` is unique within operation and status, `request` is method and target. */
export const Example = t.strict(
  {
    key: t.string,
    title: t.string,
    request: t.string,
    headers: t.record(t.string, t.string),
    body: JsonValue,
  },
  'Example',
);
export type Example = t.TypeOf<typeof Example>;

const ExamplesByStatus = t.record(t.string, listOf(Example), 'ExamplesByStatus');
export type ExamplesByStatus = t.TypeOf<typeof ExamplesByStatus>;

/** Examples by operation id, and of requests that are not operations. */
const Examples = t.strict(
  { operations: t.record(t.string, ExamplesByStatus), others: ExamplesByStatus },
  'Examples',
);
export type Examples = t.TypeOf<typeof Examples>;

/**
 * The examples that ship with the package: `npm run build` makes a module of responses of the server
 * (`scripts/write-examples.ts`). Throws if it has made something else.
 */
export const readExamples = (): Examples => {
  const decoded = Examples.decode(JSON.parse(text));
  if (E.isLeft(decoded)) throw new TypeError(problemsOf(decoded.left).map(formatProblem).join('\n'));
  return decoded.right;
};
