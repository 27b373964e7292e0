import type { HttpResponse } from '../client/http.js';

/** Headers of which a value is as telling as the presence. */
const telling = ['content-type', 'allow', 'www-authenticate', 'cache-control', 'vary', 'location'];

/** Headers that belong to the connection, the moment, the bytes or the machine, and not to the API. */
const passing = new Set([
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

const absent = 'none';

/** Headers that one answer has and the other has not, and those of a telling value that is not the same. */
export const compareHeaders = (left: HttpResponse, right: HttpResponse): readonly HeaderDifference[] =>
  Array.from(new Set([...Object.keys(left.headers), ...Object.keys(right.headers)]))
    .filter((name) => !passing.has(name) && !name.startsWith('cf-'))
    .sort()
    .flatMap((name) => {
      const [l, r] = [left.headers[name], right.headers[name]];
      if (l !== undefined && r !== undefined && (!telling.includes(name) || plain(l) === plain(r))) return [];
      return [{ where: name, left: shown(name, l), right: shown(name, r) }];
    });

/** Letter case and white space apart, and the order of a list. */
const plain = (value: string): string =>
  value
    .toLowerCase()
    .split(',')
    .map((part) => part.replaceAll(/\s+/g, ''))
    .sort()
    .join(',');

const shown = (name: string, value: string | undefined): string => {
  if (value === undefined) return absent;
  return telling.includes(name) ? value : 'there';
};
