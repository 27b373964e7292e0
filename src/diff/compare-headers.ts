import type { HttpResponse } from '../client/http.js';

/** Headers whose values are compared; of all others, only whether they are present. */
const comparedByValue = ['content-type', 'allow', 'www-authenticate', 'cache-control', 'vary', 'location'];

/** Headers that depend on the connection, the time, the encoding or the machine rather than on the API. */
const ignored = new Set([
  'age',
  'alt-svc',
  'connection',
  'content-encoding',
  'content-length',
  'date',
  'keep-alive',
  'nel',
  'report-to',
  'server',
  'server-timing',
  'transfer-encoding',
  'via',
  'x-powered-by',
  'x-request-id',
  'x-response-time',
]);

type HeaderDifference = Readonly<{ where: string; left: string; right: string }>;

/** The headers that only one response has, and those whose values are compared and differ. */
export const compareHeaders = (left: HttpResponse, right: HttpResponse): readonly HeaderDifference[] =>
  Array.from(new Set([...Object.keys(left.headers), ...Object.keys(right.headers)]))
    .filter((name) => !ignored.has(name) && !name.startsWith('cf-'))
    .sort()
    .flatMap((name) => {
      const [l, r] = [left.headers[name], right.headers[name]];
      if (
        l !== undefined &&
        r !== undefined &&
        (!comparedByValue.includes(name) || normalize(l) === normalize(r))
      )
        return [];
      return [{ where: name, left: shown(name, l), right: shown(name, r) }];
    });

/** Ignores letter case, white space and the order of a list. */
const normalize = (value: string): string =>
  value
    .toLowerCase()
    .split(',')
    .map((part) => part.replaceAll(/\s+/g, ''))
    .sort()
    .join(',');

const shown = (name: string, value: string | undefined): string => {
  if (value === undefined) return 'absent';
  return comparedByValue.includes(name) ? value : 'present';
};
