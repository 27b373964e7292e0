import * as E from '#fp-ts/Either';
import { pipe } from '#fp-ts/function';
import { sha256Base64url } from '#platform';
import { type Visitor, withoutLimits } from '../accounts/account-flow.js';
import { CurrentSession, SignedIn } from '../accounts/forms.js';
import { type LogInDependencies, logIn, logOut } from '../accounts/log-in-and-sign-up.js';
import { hashSecret, sessionExpiry, sessionLifetime } from '../accounts/sessions-and-tokens.js';
import type { ClockOf } from '../common/clock.js';
import { parseJson } from '../common/json.js';
import { timestampAt } from '../contract/codecs/timestamp.js';
import { sessionCookieName } from '../contract/operations.js';
import { PasswordHash, type SecretHash } from '../records/account-records.js';
import type { AccountStorage } from '../storage/port.js';
import { type Failure, failureResponse } from '../protocol/failures.js';
import { render } from '../protocol/rendered.js';
import { type OtherResponse, operationMethods, otherResponse, returnPath } from './routes.js';

/** What is answered, and the session that the client has from now on: null: none; left out: as before. */
type SignInAnswer = OtherResponse & Readonly<{ session?: string | null; userId?: string }>;

/** A request to sign in or out, as far as it matters. `session`: the value of its session cookie. */
type SignInRequest = Readonly<{
  method: string;
  path: string;
  session: string | null;
  body: () => Promise<Body>;
}>;

/** What was posted: its media type in lower case, without parameters, and the text. */
type Body = Readonly<{ type: string; text: string }>;

const methods: Readonly<Record<string, readonly string[]>> = {
  '/login': ['POST'],
  '/logout': ['POST'],
  '/session': operationMethods,
};

/** What rules and the journal call these requests. */
export const signInPages = Object.entries(methods).map(([path, [method]]) => `${method} ${path}`);

/** Whether requests to a path sign in or out, or ask who has. */
export const isSignInPath = (path: string): boolean => methods[path] !== undefined;

/**
 * A hash of a password that is public anyway, because it is in the fixtures of a page or a test: a slow one
 * would protect nobody. It has the form of the others, so that a storage takes it.
 */
export const publicPasswordHash = (password: string): PasswordHash => {
  const hash = `scrypt$1$1$1$${'A'.repeat(22)}$${sha256Base64url(password.normalize('NFKC'))}`;
  if (!PasswordHash.is(hash)) throw new TypeError('SHA-256 gave no hash');
  return hash;
};

const maxBody = 16 * 1024;

const formType = 'application/x-www-form-urlencoded';

/** Parses what was posted: JSON or a form. */
const posted = ({ type, text }: Body): E.Either<Failure, unknown> => {
  if (new TextEncoder().encode(text).length > maxBody) return E.left({ _tag: 'BodyTooLong' });
  if (type === formType) return E.right(Object.fromEntries(new URLSearchParams(text)));
  if (text === '') return E.right({});
  if (!/^application\/(?:[\w.-]+\+)?json$/.test(type)) return E.left({ _tag: 'UnsupportedMediaType' });
  const parsed = parseJson(text);
  // As the parser of the server: an object or a list.
  return typeof parsed === 'object' && parsed !== null ? E.right(parsed) : E.left({ _tag: 'MalformedBody' });
};

type Dependencies = Readonly<{
  storage: AccountStorage;
  clock: ClockOf;
  /** Whether a session belongs to the fixtures: it goes on for others when a visitor leaves it. */
  isPublishedSession: (session: SecretHash) => boolean;
}>;

type Answered = Promise<E.Either<Failure, SignInAnswer>>;

/** There is one client, which has no address and does not leave. */
const visitorWith = (session: string | null): Visitor => ({
  address: 'unknown',
  network: 'unknown',
  session: session === null ? null : hashSecret(session),
  hasLeft: () => false,
  report: () => {},
});

/**
 * Answers `/login`, `/logout` and `/session` as the server does, where there are no pages: a form is
 * redirected as by the server, and everything else is JSON. Null: the path is none of these.
 */
export const signIn = (given: Dependencies) => {
  const { storage, clock } = given;
  const isPassword = async (password: string, hash: PasswordHash | null) =>
    hash === publicPasswordHash(password);
  const dependencies: LogInDependencies = { ...given, ...withoutLimits, isPassword };
  const expiryOf = sessionExpiry({ storage, clock });

  const answerLogIn = async (body: Body, session: string | null): Answered => {
    const form = posted(body);
    if (E.isLeft(form)) return form;
    const started = await logIn(dependencies)(form.right, visitorWith(session));
    if (E.isLeft(started)) return started;
    const { user, sessionValue } = started.right;
    const next = returnPath(Object(form.right).next) ?? '/';
    const response = body.type === formType ? E.right(redirectTo(next)) : json(SignedIn, { user });
    return E.map((answer: OtherResponse) => ({ ...answer, session: sessionValue, userId: user.id }))(
      response,
    );
  };

  const answerLogOut = async ({ type }: Body, session: string | null): Answered => {
    const ended = await logOut(dependencies)(visitorWith(session));
    if (E.isLeft(ended) && ended.left._tag !== 'AccountPublished') return ended;
    return E.right({ ...(type === formType ? redirectTo('/login') : { status: 204 }), session: null });
  };

  const current = async (session: string | null): Answered => {
    if (session === null) return E.left({ _tag: 'Unauthorized' });
    const hash = hashSecret(session);
    const caller = await storage.caller({ session: hash, apiToken: null, at: timestampAt(clock()) });
    if (E.isLeft(caller)) return caller;
    const user = await storage.user(caller.right);
    if (E.isLeft(user)) return user;
    if (user.right === null) return E.left({ _tag: 'Unauthorized' });
    const { id } = user.right;
    const expiresAt = await expiryOf(hash, id);
    if (E.isLeft(expiresAt)) return expiresAt;
    const response = json(CurrentSession, { user: user.right, expiresAt: expiresAt.right });
    return E.map((answer: OtherResponse) => ({ ...answer, userId: id }))(response);
  };

  return async ({ method, path, session, body }: SignInRequest): Promise<SignInAnswer | null> => {
    const allowed = methods[path];
    if (allowed === undefined) return null;
    if (!allowed.includes(method)) return otherResponse(method, allowed);
    const answer = path === '/login' ? answerLogIn : answerLogOut;
    const answered = path === '/session' ? await current(session) : await answer(await body(), session);
    return E.isRight(answered) ? answered.right : failureResponse(answered.left);
  };
};

export type SignIn = ReturnType<typeof signIn>;

const redirectTo = (Location: string): OtherResponse => ({ status: 303, headers: { Location } });

const json = (...[codec, value]: Parameters<typeof render>): E.Either<Failure, OtherResponse> =>
  pipe(
    render(codec, value),
    E.map((body): OtherResponse => ({ status: 200, body })),
    E.mapLeft((problems): Failure => ({ _tag: 'ContractBroken', row: codec.name, problems })),
  );

/** The header that gives a client its session, or takes it away. */
export const sessionCookie = (session: string | null): string =>
  `${sessionCookieName}=${session ?? ''}; path=/; max-age=${session === null ? 0 : sessionLifetime / 1000}; samesite=lax; httponly`;
