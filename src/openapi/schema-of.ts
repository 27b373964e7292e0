import * as t from 'io-ts';
import { type Json, type JsonObject, JsonValueCodec } from '../common/json.js';
import { BoundedList, Described, Nullable, Optional, OptionalList } from '../contract/codecs/combinators.js';
import { ClosedObject } from '../contract/codecs/strict-object.js';
import { NumberCodec, StringCodec, type StringShape } from '../contract/codecs/text-and-numbers.js';
import { DurationCodec, UtcTimeCodec } from '../contract/codecs/timestamp.js';
import { QueryInteger } from '../contract/page-and-limit.js';

/** Without the fields that are undefined. */
export const defined = (fields: Readonly<Record<string, Json | undefined>>): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** A description; what is our decision rather than the contract's is marked for people and for programs. */
export const decided = (description: string, decision: string | null): JsonObject =>
  decision === null
    ? { description }
    : { description: `${description} *Our decision:* ${decision}`, 'x-triage-decision': decision };

/** The `$ref` for a codec; null: its schema is inlined. */
export type ReferenceTo = (codec: t.Mixed) => string | null;

/**
 * The JSON Schema (2020-12) of the values that a codec decodes, and of more where it cannot express a rule
 * (that a date exists, for example). Throws on an unknown class of codec, which is a programming error.
 */
export const schemaOf = (codec: t.Mixed, referenceTo: ReferenceTo = () => null): JsonObject => {
  const reference = referenceTo(codec);
  return reference === null ? inlinedSchemaOf(codec, referenceTo) : { $ref: reference };
};

export const inlinedSchemaOf = (codec: t.Mixed, referenceTo: ReferenceTo): JsonObject => {
  const fold = (inner: t.Mixed): JsonObject => schemaOf(inner, referenceTo);
  if (codec instanceof Described)
    return { ...fold(codec.codec), ...decided(codec.description, codec.decision) };
  if (codec instanceof Nullable) return orNull(fold(codec.codec));
  if (codec instanceof Optional || codec instanceof OptionalList) return fold(codec.codec);
  if (codec instanceof BoundedList)
    return { type: 'array', items: fold(codec.type), maxItems: codec.maxItems };
  if (codec instanceof t.ReadonlyArrayType) return { type: 'array', items: fold(codec.type) };
  if (codec instanceof ClosedObject) return object(codec.props, fold);
  if (codec instanceof t.ExactType && codec.type instanceof t.InterfaceType)
    return object(codec.type.props, fold);
  if (codec instanceof t.KeyofType) return { type: 'string', enum: Object.keys(codec.keys) };
  if (codec instanceof t.LiteralType) return { const: codec.value };
  if (codec instanceof StringCodec || codec instanceof UtcTimeCodec) return text(codec.shape);
  if (codec instanceof QueryInteger)
    return { type: 'integer', minimum: 1, maximum: codec.maximum, default: codec.defaultValue };
  if (codec instanceof NumberCodec) return { type: codec.type, ...codec.bounds };
  if (codec instanceof t.DictionaryType && codec.domain instanceof t.StringType)
    return { type: 'object', additionalProperties: fold(codec.codomain) };
  if (codec instanceof JsonValueCodec) return {};
  if (codec instanceof t.StringType || codec instanceof DurationCodec) return { type: 'string' };
  if (codec instanceof t.BooleanType) return { type: 'boolean' };
  throw new TypeError(`no JSON Schema is known for the codec ${codec.name}`);
};

const text = ({ pattern, minLength, maxLength, format }: StringShape): JsonObject =>
  defined({ type: 'string', format, pattern: pattern?.source, minLength, maxLength });

const object = (props: t.Props, fold: (codec: t.Mixed) => JsonObject): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(props).map(([name, codec]) => [name, fold(codec)])),
  required: Object.keys(props).filter((name) => !mayBeLeftOut(props[name])),
  additionalProperties: false,
});

/** Whether a codec accepts a missing value. */
export const mayBeLeftOut = (codec: t.Mixed | undefined): boolean =>
  codec instanceof Described
    ? mayBeLeftOut(codec.codec)
    : codec instanceof Optional || codec instanceof OptionalList || codec instanceof QueryInteger;

const orNull = (schema: JsonObject): JsonObject =>
  typeof schema.type === 'string' && schema.enum === undefined
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
