import type { FetchHandlerOptions } from '../fetch-handler/options.js';
import { TriageApiError } from '../in-process/triage-api-error.js';

/** The options of `triageHandlers`, all of them optional. */
export type TriageHandlersOptions = Omit<FetchHandlerOptions, 'basePath'> &
  Readonly<{
    /**
     * Where the API is: `https://api.example.com`, `https://api.example.com/mock` or, for any origin, a path
     * such as `/mock`. Default: at the root of any origin.
     */
    baseUrl?: string;
  }>;

/** What a base URL consists of: an origin, which may be missing, and a path. */
const syntax = /^(https?:\/\/[^/?#\s]+)?((?:\/[^/?#\s]+)*)\/?$/;

/** Which requests the handlers take, and what comes before `/api/v1` in their paths. */
export const apiUrl = (baseUrl: unknown = ''): Readonly<{ pattern: string; basePath: string }> => {
  const [isUrl, origin = '*', basePath = ''] = (typeof baseUrl === 'string' && syntax.exec(baseUrl)) || [];
  if (isUrl === undefined) {
    throw new TriageApiError([
      `options baseUrl: expected a URL such as "https://api.example.com" or a path such as "/mock", got ${JSON.stringify(baseUrl)}`,
    ]);
  }
  return { pattern: `${origin}${basePath}/api/v1/*`, basePath };
};
