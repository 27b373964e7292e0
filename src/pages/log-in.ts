import * as E from '#fp-ts/Either';
import { CurrentSession } from '../accounts/forms.js';
import { demoLogIn, logIn, logOut } from '../accounts/log-in-and-sign-up.js';
import { readCredentials } from '../api/credentials.js';
import { responseTo } from '../api/failures.js';
import { queryValue, type ServiceRequest } from '../api/request.js';
import type { Reply } from '../api/response.js';
import type { LogInView } from './account-pages.js';
import { pageFailures } from './failures.js';
import type { Html } from './html.js';
import type { PageContext, Refusal } from './layout.js';
import { demoLogInPath, logInNames, withNext } from './paths.js';
import { localReferrer, postedText } from './posts.js';
import type { LocalPath } from './return-path.js';
import type { Answer, PageRow } from './rows.js';
import { type Pages, type WebContext, type WebSettings, webPages } from './web.js';
import type { WebResponses } from './web-responses.js';

/** Where a login shall lead: what the link to it says, or else back to the page with the link. */
export const requestedNext = (request: ServiceRequest, responses: WebResponses): LocalPath | null =>
  responses.pathToReturnTo(queryValue(request, 'next') ?? localReferrer(request));

const noPage = (): never => {
  throw new TypeError('there are no pages');
};

/** The login without its pages. */
export const logInForPrograms = (settings: WebSettings): Pages =>
  webPages({ ...settings, hasPages: false, explorer: false }, (web) =>
    logInRows(web, noPage).filter(({ method, path }) => logInNames.includes(`${method} ${path}`)),
  );

/** The login, as page or JSON, and who is signed in. `logInPage`: makes the page. */
export const logInRows = (
  web: WebContext,
  logInPage: (context: PageContext, view: LogInView) => Html,
): readonly PageRow[] => {
  const { get, accounts, responses, visitor, offers, signedInUser } = web;

  const pageFor =
    (request: ServiceRequest, view: Partial<LogInView>) =>
    (context: PageContext, refusal?: Refusal): Html => {
      const demoAccounts = offers.offeredOn(request, context, view.next ?? null);
      return logInPage(context, { email: '', refusal, ...view, demoAccounts });
    };

  const showLogIn = async (request: ServiceRequest): Promise<Reply> => {
    const isDeleted = queryValue(request, 'account') === 'deleted';
    const { sessionValue } = readCredentials(request.headers, ['session']);
    const user = await signedInUser(request);
    const hasEnded = sessionValue !== null && E.isLeft(user) && user.left._tag === 'Unauthorized';
    const ended = hasEnded ? 'Your session has ended. Log in to go on.' : null;
    const done = isDeleted ? 'Your account has been deleted.' : ended;
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
    const left = isRefused ? responseTo(pageFailures, failure) : responses.done(request, page);
    return { ...left, session: null };
  };

  // Always JSON: a front end cannot learn it from v1 or from the cookie, which scripts cannot read.
  const showSession: Answer = async (request) => {
    const user = await signedInUser(request);
    if (E.isLeft(user)) return responses.jsonFailure(request, user.left);
    const { sessionExpiresAt, ...profile } = user.right;
    return responses.json(request, 200, CurrentSession, { user: profile, expiresAt: sessionExpiresAt });
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
