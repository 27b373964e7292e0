import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { listOf, optional } from '../contract/codecs/combinators.js';
import { decode, type Problem } from '../contract/codecs/problem.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { Duration } from '../contract/codecs/timestamp.js';

const Offset = new t.Type<number, string, unknown>(
  'a duration that is not negative, such as +30s or PT2H',
  (u): u is number => Duration.is(u) && u >= 0,
  (u, c) => {
    const decoded = Duration.validate(u, c);
    return E.isRight(decoded) && decoded.right >= 0 ? decoded : t.failure(u, c);
  },
  Duration.encode,
);

const Patch = new t.Type<object, object, unknown>(
  'a JSON patch (a list) or a merge patch (an object)',
  (u): u is object => typeof u === 'object' && u !== null,
  (u, c) => (typeof u === 'object' && u !== null ? t.success(u) : t.failure(u, c)),
  t.identity,
);

/** A timed patch: `at` counts from the moment at which the data was loaded. */
const Step = new StrictObject(
  { at: Offset, tenant: optional(t.string), patch: Patch, note: optional(t.string) },
  'step of a scenario',
);

/** Timed patches in the order in which they play; `index` is the place of one in the list that was given. */
export type Scenario = readonly (t.TypeOf<typeof Step> & Readonly<{ index: number }>)[];

/** Decodes a scenario: a list of timed patches. Those of the same moment keep their order. Takes JSON. */
export const decodeScenario = (value: unknown): E.Either<readonly Problem[], Scenario> => {
  const decoded = decode(listOf(Step), value);
  if (E.isLeft(decoded)) return decoded;
  const steps = decoded.right.map((step, index) => ({ ...step, index }));
  return E.right(steps.sort((left, right) => left.at - right.at));
};
