import { describe } from '../codecs/problem.js';
import type { FetchHandlerOptions } from '../fetch-handler/options.js';

/** The options of `triageHandlers`, all of them optional. */
export type TriageHandlersOptions = Omit<FetchHandlerOptions, 'basePath'> &
  Readonly<{
    /**
     * Where the API is: `https://api.example.com`, `https://api.example.com/mock` or, for any origin, a path
     * such as `/mock`. Default: at the root of any origin.
     */
    baseUrl?: string;
  }>;

/** Which requests the handlers take, what comes before `/api/v1` in their paths, and what is wrong. */
export type ApiUrl = Readonly<{ pattern: string; basePath: string; problems: readonly string[] }>;

/** What a base URL consists of: an origin, which may be missing, and a path. */
const syntax = /^(https?:\/\/[^/?#\s]+)?((?:\/[^/?#\s]+)*)\/?$/;

/** Reads a base URL, which may come from a program that does not check types. */
export const apiUrl = (baseUrl: unknown = ''): ApiUrl => {
  const [isUrl, origin = '*', basePath = ''] = (typeof baseUrl === 'string' && syntax.exec(baseUrl)) || [];
  const problem = `options /baseUrl: expected a URL such as "https://api.example.com" or a path such as "/mock", got ${describe(baseUrl)}`;
  return {
    pattern: `${origin}${basePath}/api/v1/*`,
    basePath,
    problems: isUrl === undefined ? [problem] : [],
  };
};
