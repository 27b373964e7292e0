import * as E from '#fp-ts/Either';
import type { Clock } from '../common/clock.js';
import { type Timestamp, timestampAt } from '../contract/codecs/timestamp.js';
import type { AnyOperation, CredentialKind } from '../contract/operations.js';
import { type Caller, hashCredentials, readCredentials } from './credentials.js';
import type { Failure } from './failures.js';
import type { ApiRequest, ServiceRequest } from './request.js';
import type { Answer, Outcome, PageKind } from './response.js';
import type {
  CallerStorage,
  PresentedCredentials,
  StorageError,
  TriageStorage,
  Unauthorized,
} from './storage-port.js';

/** The values of the parameters of a path. */
export type Params = Readonly<Record<string, string>>;

/** What an answer depends on besides its request. A layer may give another one to those inside of it. */
export type Context = Readonly<{
  /** Where rows come from. */
  storage: TriageStorage;
  /** The moment that answers speak of, as in `2 hours ago`. Credentials are judged by the server's clock. */
  clock: Clock;
}>;

/** A request on its way, as far as an operation sees it. */
export type ApiCall = Readonly<{
  request: ApiRequest;
  params: Params;
  identity: Identity;
  context: Context;
}>;

/** A request on its way through the layers. `row`: null, if no row has its path and method. */
export type Call = ApiCall & Readonly<{ request: ServiceRequest; row: Row | null }>;

/** Answers a call, or says that its connection is cut, or that its client has gone. */
export type Serve = (call: Call) => Promise<Outcome>;

/** What stands around `next`: it answers in its place, or changes the call, or the answer. */
export type Layer = (next: Serve) => Serve;

/** A row of the table of routes. */
export type Row = Readonly<{
  method: string;
  /** With `:name` for a parameter. */
  path: string;
  /** What logs, metrics and rules call it. */
  name: string;
  /** Which headers its answers have. */
  kind: 'operation' | PageKind;
  /** Null: it serves none of the contract. */
  operation: AnyOperation | null;
  /** The credentials that it reads. */
  accepts: readonly CredentialKind[];
  /** Whether a client may use it: to others, there is nothing at its path. */
  isFor: (request: ServiceRequest) => boolean;
  answer: Serve;
}>;

/** Shows a failure that no row has answered. `methods`: those of the path, for a request with another one. */
export type Present = (
  failure: Failure,
  request: ServiceRequest,
  methods?: readonly string[],
) => Promise<Answer>;

type FoundCaller = E.Either<StorageError | Unauthorized, Caller>;

/** Who can tell whose credentials are, and the time of the server. */
export type IdentityDependencies = Readonly<{ storage: CallerStorage; now: () => Timestamp }>;

/** The time is written once a millisecond: to write and validate it takes 3 % of a request. */
export const identitiesOf = (storage: CallerStorage, clock: Clock): IdentityDependencies => {
  let [moment, timestamp] = [0, timestampAt(0)];
  const now = (): Timestamp => {
    const current = Math.trunc(clock());
    if (current !== moment) [moment, timestamp] = [current, timestampAt(current)];
    return timestamp;
  };
  return { storage, now };
};

/**
 * On whose behalf a request acts. Its credentials are read and hashed once, and the storage is asked once,
 * when somebody wants to know; a read of rows, which finds out anyway, tells it by `meet`.
 */
export class Identity {
  readonly #request: ApiRequest;
  readonly #accepts: readonly CredentialKind[];
  readonly #dependencies: IdentityDependencies;
  #credentials: E.Either<Unauthorized, PresentedCredentials> | undefined;
  #caller: FoundCaller | Promise<FoundCaller> | undefined;

  constructor(request: ApiRequest, accepts: readonly CredentialKind[], dependencies: IdentityDependencies) {
    this.#request = request;
    this.#accepts = accepts;
    this.#dependencies = dependencies;
  }

  /** The hashes of the credentials (contract, section 5). `left`: the request has none. */
  get credentials(): E.Either<Unauthorized, PresentedCredentials> {
    this.#credentials ??= hashCredentials(
      readCredentials(this.#request.headers, this.#accepts),
      this.#dependencies.now(),
    );
    return this.#credentials;
  }

  /** The user id of the caller, if anybody has found it out by now. */
  get tenantId(): string | undefined {
    return this.#request.notes.tenantId;
  }

  meet(caller: Caller): void {
    this.#caller = E.right(caller);
    this.#request.notes.tenantId = caller.userId;
  }

  /** Whose the credentials are. */
  async caller(): Promise<FoundCaller> {
    this.#caller ??= this.#askStorage();
    return this.#caller;
  }

  /** Judges the credentials anew, by the time that it is by then. */
  judgeAnew(): void {
    [this.#credentials, this.#caller] = [undefined, undefined];
  }

  async #askStorage(): Promise<FoundCaller> {
    const { credentials } = this;
    if (E.isLeft(credentials)) return credentials;
    const caller = await this.#dependencies.storage.caller(credentials.right);
    if (E.isRight(caller)) this.#request.notes.tenantId = caller.right.userId;
    return caller;
  }
}
