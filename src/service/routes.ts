import type * as t from 'io-ts';
import type { Endpoint } from '../operations/endpoint.js';
import { failureResponse } from '../protocol/failures.js';
import type { Rendered } from '../protocol/rendered.js';

/** The endpoint of a path, and the values of the path's parameters. */
export type Route = Readonly<{ endpoint: Endpoint; params: Readonly<Record<string, string>> }>;

/**
 * Finds the endpoint of a path, whatever the method; null: there is none. Paths match to the letter: case and
 * a trailing slash count. The value of a parameter is not empty.
 */
export const operationRoutes = (endpoints: readonly Endpoint[]): ((path: string) => Route | null) => {
  const fixed = new Map<string, Route>();
  const patterns: { pattern: RegExp; endpoint: Endpoint }[] = [];
  for (const endpoint of endpoints) {
    const { path } = endpoint.operation;
    const pattern = new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    if (path.includes('{')) patterns.push({ pattern, endpoint });
    else fixed.set(path, { endpoint, params: {} });
  }
  return (path) => {
    const found = fixed.get(path);
    if (found !== undefined) return found;
    for (const { pattern, endpoint } of patterns) {
      const values = pattern.exec(path)?.groups;
      if (values === undefined) continue;
      const params = Object.entries(values).map(([name, value]) => [name, decodedText(value)]);
      return { endpoint, params: Object.fromEntries(params) };
    }
    return null;
  };
};

/** A text that is not percent-encoded correctly stands for itself. */
const decodedText = (text: string): string => {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** A response whose body may be missing. */
export type OtherResponse = Readonly<{
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: Rendered<t.Mixed>;
}>;

/** The methods of operations. */
export const operationMethods = ['GET', 'HEAD'];

/**
 * The response to what no route takes: OPTIONS with `Allow`, another method of a known path with 405, and the
 * rest with 404. `methods`: those that the path has.
 */
export const otherResponse = (method: string, methods: readonly string[]): OtherResponse => {
  if (methods.length === 0) return failureResponse({ _tag: 'NotFound' });
  const headers = { Allow: [...methods, 'OPTIONS'].sort().join(', ') };
  return method === 'OPTIONS'
    ? { status: 204, headers }
    : { ...failureResponse({ _tag: 'MethodNotAllowed' }), headers };
};

declare const local: unique symbol;

/** A path of this server, perhaps with a query, to which a browser may be sent. */
export type LocalPath = string & Readonly<{ [local]: true }>;

/** Longer ones are no pages of this server. */
const maxLength = 1000;

/**
 * Whether a text is a path that leads nowhere but to this server: visible ASCII characters that begin with
 * one slash. Browsers take `//host`, `/\host` and, because they drop tabs and line breaks, `/<tab>/host` for
 * another server. `/./` and `/../` could be shortened to such a path.
 */
export const isLocalPath = (text: unknown): text is LocalPath =>
  typeof text === 'string' &&
  text.length <= maxLength &&
  /^\/(?!\/)[!-[\]-~]*$/.test(text) &&
  !/\/(?:\.|%2e){1,2}(?:[/?#]|$)/i.test(text);

/** Pages to which a login must not lead back. */
const passing = /^\/(?:login|logout|signup)(?:[?/#]|$)/;

/** A path of this server to return to after a login; null for everything else. */
export const returnPath = (text: unknown): LocalPath | null =>
  isLocalPath(text) && !passing.test(text) ? text : null;
