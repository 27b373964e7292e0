import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { type Json, JsonValue } from '../common/json.js';
import { described, listOf, optional } from '../contract/codecs/combinators.js';
import { StrictObject } from '../contract/codecs/strict-object.js';
import { keysOf, mergePatch } from './patches.js';

/** What is changed in the body of a 200, in this order. */
export const Alteration = new StrictObject(
  {
    patch: described(optional(JsonValue), 'A merge patch of the body (RFC 7396).'),
    set: described(
      optional(t.record(t.string, JsonValue)),
      'Values by JSON pointer (RFC 6901), where `*` stands for every item or field: `{ "/items/*/severity": "negligible" }`.',
    ),
    remove: described(
      optional(listOf(t.string)),
      'What is removed, as JSON pointers with `*`: `["/items/*/package"]`.',
    ),
  },
  'alteration',
);
export type Alteration = t.TypeOf<typeof Alteration>;

/** What is wrong with the pointers of an alteration, a line each. */
export const alterationProblems = ({ patch, set = {}, remove = [] }: Alteration): string[] => {
  const pointers = [...Object.keys(set), ...remove];
  if (patch === undefined && pointers.length === 0) return ['alter needs a patch, a set or a remove'];
  return pointers.flatMap((pointer) => {
    const keys = keysOf(pointer, []);
    if (E.isLeft(keys)) return [`alter: ${JSON.stringify(pointer)}: ${keys.left.message}`];
    return keys.right.length === 0 ? ['alter: a pointer names a place in the body, such as /items/*/id'] : [];
  });
};

/**
 * The changed body, and the pointers that led nowhere in it, which changed nothing; a field that is set need
 * not exist. Null: values of more than `maxLength` characters were put into it, as pointers with `*` can.
 */
export const altered = (
  body: unknown,
  { patch, set = {}, remove = [] }: Alteration,
  maxLength: number,
): Readonly<{ body: unknown; unused: readonly string[] }> | null => {
  let length = 0;
  let changed = patch === undefined ? body : mergePatch(body, patch);
  const unused: string[] = [];
  const changes: readonly (readonly [string, Json | undefined])[] = [
    ...Object.entries(set),
    ...remove.map((pointer) => [pointer, undefined] as const),
  ];
  for (const [pointer, value] of changes) {
    let isUsed = false;
    const onReached = (): void => {
      isUsed = true;
      length += JSON.stringify(value ?? '').length;
    };
    const keys = keysOf(pointer, []);
    if (E.isRight(keys)) changed = change(changed, keys.right, value, onReached);
    if (length > maxLength) return null;
    if (!isUsed) unused.push(pointer);
  }
  return { body: changed, unused };
};

/** Sets what keys lead to, or removes it. */
const change = (
  body: unknown,
  [key, ...rest]: readonly string[],
  value: Json | undefined,
  onReached: () => void,
): unknown => {
  if (key === undefined) {
    onReached();
    return value;
  }
  if (typeof body !== 'object' || body === null) return body;
  const isEvery = key === '*' && !Object.hasOwn(body, '*');
  const isNew = rest.length === 0 && value !== undefined && !isEvery && !Array.isArray(body);
  const fields = new Map<string, unknown>(Object.entries(body));
  for (const name of isEvery ? fields.keys() : [key]) {
    if (!isNew && !fields.has(name)) continue;
    const next = change(fields.get(name), rest, value, onReached);
    // Deleting while the keys are gone through leaves out none of them.
    if (next === undefined) fields.delete(name);
    else fields.set(name, next);
  }
  return Array.isArray(body) ? Array.from(fields.values()) : Object.fromEntries(fields);
};
