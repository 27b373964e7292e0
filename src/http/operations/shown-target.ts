import { escapeControlCharacters } from '../../common/messages.js';
import { operations } from '../../contract/operations.js';

/** The parameters of the contract. Anything else in a query may be a misplaced secret. */
const loggedParameters: ReadonlySet<string> = new Set(
  Object.values(operations).flatMap(({ queryParameters }) => Object.keys(queryParameters.type.props)),
);

/**
 * A target without what may be a secret. One that is not a path was refused, and may contain a password. The
 * usual parsers are not asked for the path, because they throw on some targets.
 */
export const shownTarget = (target: string): string => {
  if (!target.startsWith('/')) return target === '*' ? target : '…';
  const [path = '', ...rest] = target.split('?');
  return escapeControlCharacters(`${masked(path).replace(/^\/\/[^/]*@/, '//…@')}${query(rest.join('?'))}`);
};

const query = (querystring: string): string => {
  const shown = Array.from(new URLSearchParams(querystring), ([name, value]) =>
    loggedParameters.has(name)
      ? `${encodeURIComponent(name)}=${masked(encodeURIComponent(value))}`
      : `${masked(encodeURIComponent(name))}=…`,
  );
  return shown.length === 0 ? '' : `?${shown.join('&')}`;
};

/** Session values and API tokens are at least this long, and consist of these characters. */
const secretLike = /[\w-]{43,}/g;

/** Text without what may be a misplaced session value, API token or hash. */
export const masked = (text: string): string => text.replaceAll(secretLike, '…');
