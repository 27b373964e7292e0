import type { UserProfile } from '../accounts/account-records.js';
import type { Params } from '../api/call.js';
import type { ServiceRequest } from '../api/request.js';
import type { Reply } from '../api/response.js';

/** What comes with a request that a row takes; `posted`: the fields of a form, or of JSON in its place. */
type PageInput = Readonly<{ params: Params; posted: object }>;

/** How a row answers somebody who may use it. */
export type Answer = (request: ServiceRequest, input: PageInput) => Promise<Reply>;
export type UserAnswer = (request: ServiceRequest, user: UserProfile, input: PageInput) => Promise<Reply>;

/** A row of the pages: where it is, who may use it, how its body is read, and what answers. */
export type PageRow = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `:name` for a parameter. */
  path: string;
  /**
   * What pages of this service post, so that posts of other sites are refused: a form, which is parsed, or
   * nothing. Left out: what answers reads the body itself.
   */
  posts?: 'form' | 'nothing';
}> &
  (
    | Readonly<{
        /** Operators may use the mock controls: to all others, there is nothing at their paths. */
        who: 'everyone' | 'operators';
        answer: Answer;
      }>
    /** Users are signed in by cookie: all others get the login page or, in JSON, a 401. */
    | Readonly<{ who: 'users'; answer: UserAnswer }>
  );
