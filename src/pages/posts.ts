import * as E from '#fp-ts/Either';
import { headerOf, mediaTypeOf, type ServiceRequest } from '../api/request.js';
import { parseJson } from '../common/json.js';
import { type IsAllowedOrigin, isOrigin } from '../common/own-hosts.js';
import { fieldsOf } from '../common/query-values.js';
import { maxFormLength, type PostRefused } from './failures.js';
import { isLocalPath, type LocalPath } from './return-path.js';

/**
 * Why a post is refused that another site sends in the name of its visitor (CSRF), by `Sec-Fetch-Site` and
 * `Origin`; null: it is not. Scripts on pages of an origin that CORS allows may post; a client without both
 * headers is not a browser.
 */
export const crossSiteRefusal = (
  request: ServiceRequest,
  isAllowed: IsAllowedOrigin,
  prefersJson: (request: ServiceRequest) => boolean,
): PostRefused | null => {
  const site = headerOf(request, 'sec-fetch-site');
  const origin = headerOf(request, 'origin');
  const isFromHere =
    site === '' ? ['', request.origin].includes(origin) : ['same-origin', 'none'].includes(site);
  // No form can post or prefer JSON: this is a script, on a page that CORS allows to read the response.
  if (isFromHere || (isAllowed(origin) && prefersJson(request))) return null;
  const advice = adviceOn(origin, request.origin, isAllowed(origin));
  return { _tag: 'CrossSiteRequest', ...(advice === null ? {} : { advice }) };
};

/** What whoever runs both the page and this server can do; null: the post does not say where it is from. */
const adviceOn = (origin: string, here: string, isAllowed: boolean): string | null => {
  if (!isOrigin(origin)) return null;
  if (isAllowed) return `Pages of ${origin} may send JSON to this server, but no forms`;
  const fromProxy =
    origin.replace(/^https:/, 'http:') === here
      ? 'if a proxy in between speaks https, start the server with --trust-proxy, and let the proxy send X-Forwarded-Proto'
      : 'if a proxy in between has replaced the Host header (changeOrigin), let it keep the header, or let it send X-Forwarded-Host and start the server with --trust-proxy';
  return `This one comes from a page of ${origin} and was sent to ${here}. If the page is yours, start the server with --cors-origin ${origin} and send JSON; ${fromProxy}`;
};

/**
 * The page of this origin with the link or the form that led here; null: none is known. Over https and on
 * localhost, browsers say whether it has the same origin, also where a proxy has replaced `Host`.
 */
export const localReferrer = (request: ServiceRequest): LocalPath | null => {
  const [, origin, path] = /^(https?:\/\/[^/]+)(\/.*)/.exec(headerOf(request, 'referer')) ?? [];
  const isFromHere = origin === request.origin || headerOf(request, 'sec-fetch-site') === 'same-origin';
  return isFromHere && isLocalPath(path) ? path : null;
};

const formType = 'application/x-www-form-urlencoded';

/** Whether a request posts JSON, or a form. */
export const postsJson = (request: ServiceRequest): boolean => mediaTypeOf(request) === 'application/json';
export const postsForm = (request: ServiceRequest): boolean => mediaTypeOf(request) === formType;

/** Reads what was posted, JSON or a form. Other types, longer bodies and malformed ones are refused. */
export const readForm = async (request: ServiceRequest): Promise<E.Either<PostRefused, object>> => {
  const body = await request.body(maxFormLength * 1024);
  if (body !== 'TooLong' && body !== 'Malformed' && body.text === '') return E.right({});
  if (!postsJson(request) && !postsForm(request)) return E.left({ _tag: 'UnsupportedMediaType' });
  if (body === 'TooLong') return E.left({ _tag: 'BodyTooLong' });
  if (body === 'Malformed') return E.left({ _tag: 'MalformedBody' });
  const posted = postsForm(request) ? fieldsOf(body.text) : parseJson(body.text);
  return typeof posted === 'object' && posted !== null ? E.right(posted) : E.left({ _tag: 'MalformedBody' });
};

/** The account that was posted, by its e-mail address or as a demo account; empty if there is none. */
export const postedAccount = async (request: ServiceRequest): Promise<string> => {
  const posted = await readForm(request);
  if (E.isLeft(posted)) return '';
  return postedText(posted.right, 'email') || postedText(posted.right, 'account');
};

/** A field of a form as it was posted; empty if it is missing or no text. */
export const postedText = (posted: object, field: string): string => {
  const value: unknown = Object.entries(posted).find(([name]) => name === field)?.[1];
  return typeof value === 'string' ? value : '';
};
