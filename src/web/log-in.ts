import * as E from '#fp-ts/Either';
import { type DemoAccounts, noDemoAccounts } from '../accounts/demo-rows.js';
import { CurrentSession } from '../accounts/forms.js';
import { demoLogIn, logIn, logOut } from '../accounts/log-in-and-sign-up.js';
import { sessionExpiry } from '../accounts/sessions-and-tokens.js';
import { failureResponse } from '../protocol/failures.js';
import { queryValue, type ServiceRequest } from '../protocol/request.js';
import type { Reply } from '../protocol/response.js';
import type { Answer, Row } from '../protocol/routes.js';
import type { LogInView, OfferedAccounts } from './account-pages.js';
import type { Html } from './html.js';
import type { PageContext } from './layout.js';
import { demoLogInPath, withNext } from './paths.js';
import { localReferrer, postedText } from './posts.js';
import type { LocalPath } from './return-path.js';
import { sessionHashOf } from './signed-in-user.js';
import type { WebContext } from './web.js';
import type { WebResponses } from './web-responses.js';

/** Where a login shall lead: what the link to it says, or else back to the page with the link. */
export const requestedNext = (request: ServiceRequest, responses: WebResponses): LocalPath | null =>
  responses.pathToReturnTo(queryValue(request, 'next') ?? localReferrer(request));

/**
 * Which demo accounts a visitor is offered. Those of the package are open to everyone, others to visitors on
 * this machine; to the rest they are shown only with their passwords, as `--show-passwords` demands.
 */
export const offers = ({ demoAccounts }: Readonly<{ demoAccounts: () => DemoAccounts }>) => {
  const isOpenTo = ({ isLocal }: ServiceRequest, { areShipped }: DemoAccounts): boolean =>
    areShipped || isLocal;
  return {
    /** Those that a page shows; `next`: where to return to after a login. */
    offeredOn: (request: ServiceRequest, { user }: PageContext, next: string | null): OfferedAccounts => {
      const accounts = demoAccounts();
      const isOpen = isOpenTo(request, accounts);
      const isUsable = isOpen || accounts.shown.every(({ password }) => password !== null);
      const { shown, total } = isUsable ? accounts : noDemoAccounts;
      return { shown, total, isOpen, next, current: user?.email ?? null };
    },
    /** Finds one that the visitor may log in to without a password. */
    findFor: (request: ServiceRequest): DemoAccounts['find'] => {
      const accounts = demoAccounts();
      return (isOpenTo(request, accounts) ? accounts : noDemoAccounts).find;
    },
  };
};

export type Offers = ReturnType<typeof offers>;

/** The login, as page or JSON, and who is signed in. `logInPage`: makes the page. */
export const logInRows = (
  web: WebContext,
  logInPage: (context: PageContext, view: LogInView) => Html,
): readonly Row[] => {
  const { get, accounts, responses, visitor, offers, signedInUser } = web;
  const expiryOf = sessionExpiry(accounts);

  const pageFor =
    (request: ServiceRequest, view: Partial<LogInView>) =>
    (context: PageContext, message: string | null = null): Html => {
      const demoAccounts = offers.offeredOn(request, context, view.next ?? null);
      return logInPage(context, { email: '', message, ...view, demoAccounts });
    };

  const showLogIn = (request: ServiceRequest): Promise<Reply> => {
    const isDeleted = queryValue(request, 'account') === 'deleted';
    const done = isDeleted ? 'Your account has been deleted.' : null;
    // The previous page showed the account that has been deleted, so nothing leads back to it.
    const next = isDeleted ? null : requestedNext(request, responses);
    return responses.page(request, pageFor(request, { done, next }));
  };

  const submitLogIn: Answer = (request, { posted }) => {
    const next = responses.pathToReturnTo(postedText(posted, 'next'));
    return responses.outcome(
      request,
      logIn(accounts)(posted, visitor(request)),
      (started) => responses.signedIn(request, started, next),
      pageFor(request, { email: postedText(posted, 'email'), next }),
    );
  };

  const submitDemoLogIn: Answer = (request, { posted }) => {
    const next = responses.pathToReturnTo(postedText(posted, 'next'));
    return responses.outcome(
      request,
      demoLogIn(accounts)(posted, offers.findFor(request), visitor(request)),
      (started) => responses.signedIn(request, started, next),
      pageFor(request, { next }),
    );
  };

  const submitLogOut: Answer = async (request) => {
    const page = withNext('/login', responses.pathToReturnTo(queryValue(request, 'next')));
    const ended = await logOut(accounts)(visitor(request));
    if (E.isRight(ended)) return { ...responses.done(request, page), session: null };
    const failure = ended.left;
    if (failure._tag !== 'AccountPublished') return responses.failure(request, failure, pageFor(request, {}));
    // A shared session goes on for others, but this visitor has left it.
    const isRefused = responses.hasPages && responses.prefersJson(request);
    const left = isRefused ? failureResponse(failure) : responses.done(request, page);
    return { ...left, session: null };
  };

  // Always JSON: a front end cannot learn it from v1 or from the cookie, which scripts cannot read.
  const showSession: Answer = async (request) => {
    const user = await signedInUser(request);
    if (E.isLeft(user)) return responses.jsonFailure(request, user.left);
    const session = sessionHashOf(request);
    if (session === null) return failureResponse({ _tag: 'Unauthorized' });
    const expiresAt = await expiryOf(session, user.right.id);
    return E.isLeft(expiresAt)
      ? responses.jsonFailure(request, expiresAt.left)
      : responses.json(request, 200, CurrentSession, { user: user.right, expiresAt: expiresAt.right });
  };

  const everyone = { method: 'POST', who: 'everyone' } as const;
  return [
    get('/login', showLogIn),
    { ...everyone, path: '/login', posts: 'form', answer: submitLogIn },
    { ...everyone, path: demoLogInPath, posts: 'form', answer: submitDemoLogIn },
    { ...everyone, path: '/logout', posts: 'nothing', answer: submitLogOut },
    get('/session', showSession),
  ];
};
