import type { UserProfile } from '../records/account-records.js';
import { failureResponse } from './failures.js';
import type { ServiceRequest } from './request.js';
import type { JsonResponse, Reply } from './response.js';

/** The values of the parameters of a path. */
export type Params = Readonly<Record<string, string>>;

/** What comes with a request that a row takes; `posted`: the fields of a form, or of JSON in its place. */
export type Given = Readonly<{ params: Params; posted: object }>;

/** How a row answers somebody who may use it. */
export type Answer = (request: ServiceRequest, given: Given) => Promise<Reply>;
export type UserAnswer = (request: ServiceRequest, user: UserProfile, given: Given) => Promise<Reply>;

/** A row of the table of routes: where it is, who may use it, how its body is read, and what answers. */
export type Row = Readonly<{
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

/** The methods of operations. */
export const readMethods: readonly string[] = ['GET', 'HEAD'];

/**
 * The response to what no row takes: OPTIONS with `Allow`, another method of a known path with 405, and the
 * rest with 404. `methods`: those that the path has.
 */
export const unroutedResponse = (
  method: string,
  methods: readonly string[],
): Omit<JsonResponse, 'body'> & Partial<JsonResponse> => {
  if (methods.length === 0) return failureResponse({ _tag: 'NotFound' });
  const headers = { Allow: [...methods, 'OPTIONS'].sort().join(', ') };
  return method === 'OPTIONS'
    ? { status: 204, headers }
    : { ...failureResponse({ _tag: 'MethodNotAllowed' }), headers };
};

/** A text that is not percent-encoded correctly stands for itself. */
export const decodedText = (text: string): string => {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Below which path the controls are. */
export const controlsRoot = '/__admin';

/** Whether a path is one of the controls, or their page, whether there is such a control or not. */
export const isControlPath = (path: string): boolean =>
  path === controlsRoot || path.startsWith(`${controlsRoot}/`) || path === '/explore/controls';
