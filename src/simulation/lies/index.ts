import * as E from '#fp-ts/Either';
import { comparable, nearest } from '../../common/messages.js';
import { operations } from '../../contract/operations.js';
import { fieldLies } from './field-lies.js';
import { type Lie, lieGravities } from './lie.js';
import { listLies } from './list-lies.js';
import { statusLies } from './status-lies.js';

export type { Lie } from './lie.js';

/** All lies, the gravest first. */
export const lies: readonly Lie[] = [...statusLies, ...listLies, ...fieldLies].sort(
  (one, other) => lieGravities.indexOf(one.gravity) - lieGravities.indexOf(other.gravity),
);

const ids = lies.map(({ id }) => id);

/** Whether a lie has this id, or one that begins with it and a dot. */
export const isCalled = ({ id }: Lie, name: string): boolean => `${id}.`.startsWith(`${name}.`);

/** Those that are called so. `left`: there is none, and what may be meant. */
export const liesNamed = (id: string): E.Either<string, readonly [Lie, ...Lie[]]> => {
  const [first, ...others] = lies.filter((lie) => isCalled(lie, id));
  if (first !== undefined) return E.right([first, ...others]);
  const [operation = ''] = id.split('.');
  const below = ids.filter((each) => each.startsWith(`${operation}.`));
  const names = below.length === 0 ? Object.keys(operations) : below;
  const best = nearest(id, comparable(1, [...names, ...ids]));
  const all = [...new Set([...(best === null ? [] : [best]), ...names])];
  return E.left(`there is no lie "${id}"; there are ${all.join(', ')}`);
};
