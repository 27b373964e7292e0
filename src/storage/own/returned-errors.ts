import * as t from 'io-ts';
import type { TaskEither } from '#fp-ts/TaskEither';
import type { StorageCall } from '../each-call.js';
import type { Storage, StorageError } from '../port.js';

type ErrorOf<Call extends StorageCall> = Storage[Call] extends (
  ...args: never[]
) => TaskEither<infer Err extends Readonly<{ _tag: string }>, unknown>
  ? Err['_tag']
  : never;

type OwnErrors = { readonly [Call in StorageCall]: readonly Exclude<ErrorOf<Call>, StorageError['_tag']>[] };

/** The operations of the port, and how each may fail besides the errors that all of them have. */
export const ownErrors: OwnErrors = {
  ready: ['SchemaOlder', 'SchemaNewer'],
  caller: ['Unauthorized'],
  userByEmail: [],
  user: [],
  signUp: ['EmailTaken'],
  changePassword: ['AccountReadOnly'],
  deleteAccount: ['AccountReadOnly'],
  startSession: [],
  endSession: [],
  apiTokens: [],
  addApiToken: ['TooManyApiTokens', 'Unauthorized'],
  revokeApiToken: [],
  repos: ['Unauthorized'],
  findings: ['Unauthorized'],
  finding: ['Unauthorized'],
  prs: ['Unauthorized'],
};

const names = t.readonlyArray(t.string);

/** The parts of errors that are read when they are logged. What else is in one is as the author made it. */
const parts: Readonly<Record<string, t.Mixed>> = {
  RecordBroken: t.type({ problems: t.readonlyArray(t.type({ path: names, message: t.string })) }),
  SchemaOlder: t.type({ missing: names }),
  SchemaNewer: t.type({ unknown: names }),
};

const errorsOfAll: ReadonlySet<unknown> = new Set<StorageError['_tag']>([
  'StorageUnavailable',
  'StorageFailed',
  'RecordBroken',
]);

/** Whether an operation may fail with this error. */
export const isErrorOf = (call: StorageCall, error: unknown): boolean => {
  const tag: unknown = Object(error)._tag;
  const isNamed = errorsOfAll.has(tag) || ownErrors[call].some((own) => own === tag);
  return isNamed && (parts[String(tag)]?.is(error) ?? true);
};
