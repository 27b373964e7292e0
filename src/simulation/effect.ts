import type * as t from 'io-ts';
import type { HeaderChanges } from '../api/response.js';
import type { Json } from '../common/json.js';
import { described, oneOf } from '../contract/codecs/combinators.js';
import type { AnyOperation } from '../contract/operations.js';

/** What can go wrong with a response besides its status, and failures that come from elsewhere. */
const faultKinds = {
  hang: 'no response until the client gives up',
  hold: 'no response until the rule is removed',
  drop: 'a connection that is reset before the response',
  truncate: 'half of the body',
  cut: 'a connection that ends in the middle of the body',
  malformed: 'a body that is no valid JSON',
  empty: 'a list without rows',
  gateway: '502 with the HTML page of a proxy',
  timeout: '504 with such a page',
  forbidden: '403',
  maintenance: '503 with `Retry-After: 120`',
};
const meanings = Object.entries(faultKinds).map(([kind, meaning]) => `\`${kind}\`: ${meaning}`);

export const FaultKind = described(oneOf(faultKinds), `${meanings.join('; ')}.`);
export type FaultKind = t.TypeOf<typeof FaultKind>;

/** What is sent with a simulated status instead of the usual. */
export type Replacement = Readonly<{
  /** A text is sent as it is, everything else as JSON. Undefined: the body that the operation has. */
  body?: Json | undefined;
  /** What the body is called in `Prefer`; undefined: it has no name. */
  bodyName?: string | undefined;
  headers?: HeaderChanges | undefined;
  /** Seconds, for the header `Retry-After`. */
  retryAfter?: number | undefined;
}>;

/** What happens to a response: it comes later or slowly, with another status, changed, or broken. */
export type Effect = Readonly<{
  /** The status to answer with instead; null: that of the real response. */
  code: number | null;
  instead: Replacement;
  delay: number;
  kind: FaultKind | null;
  /** A merge patch of the body of a 200; undefined: none. */
  alter: Json | undefined;
  /** How fast the body is sent; null: at once. */
  bytesPerSecond: number | null;
}>;

const htmlType = { 'Content-Type': 'text/html; charset=utf-8' };

/** The page of a proxy that gets no answer from the server behind it. */
export const proxyPage = (title: string): Replacement => ({
  body: `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`,
  headers: htmlType,
});

/** What is sent in place of JSON by what stands in front of the API: bodies that `Prefer` names. */
export const namedBodies: ReadonlyMap<string, Replacement> = new Map([
  ['html', { body: '<!doctype html>\n<title>App</title>\n<div id="root"></div>\n', headers: htmlType }],
  ['empty', { body: '', headers: { 'Content-Type': null } }],
  ['text', { body: 'OK' }],
]);

/** The kinds that stand for a status, and what is sent with it. */
const presets: Readonly<Partial<Record<FaultKind, Replacement & Readonly<{ code: number }>>>> = {
  gateway: { code: 502, ...proxyPage('502 Bad Gateway') },
  timeout: { code: 504, ...proxyPage('504 Gateway Time-out') },
  forbidden: { code: 403 },
  maintenance: { code: 503, retryAfter: 120 },
};

type EffectSource = Replacement &
  Readonly<{ [Key in 'code' | 'delay' | 'bytesPerSecond']?: number | undefined }> &
  Readonly<{ kind?: FaultKind | undefined; alter?: Json | undefined }>;

/** What a rule or a preference amounts to. */
export const effectOf = ({ kind, delay = 0, body, headers, ...source }: EffectSource): Effect => {
  const preset = kind && presets[kind];
  // A body of one's own is not the page of a proxy.
  const page = body === undefined ? preset : undefined;
  return {
    code: source.code ?? preset?.code ?? null,
    instead: {
      body: body === undefined ? page?.body : body,
      bodyName: source.bodyName,
      headers: { ...page?.headers, ...headers },
      retryAfter: source.retryAfter ?? preset?.retryAfter,
    },
    delay,
    kind: kind ?? null,
    alter: source.alter,
    bytesPerSecond: source.bytesPerSecond ?? null,
  };
};

/** An effect in words, as headers and the journal show it: `code=503, delay=800`. */
export const effectText = ({ code, delay, kind, instead, alter, bytesPerSecond }: Effect): string => {
  const { retryAfter, bodyName, headers = {} } = instead;
  const preset = kind && presets[kind];
  return [
    code === null || code === preset?.code ? '' : `code=${code}`,
    bodyName === undefined ? '' : `body=${bodyName}`,
    delay === 0 ? '' : `delay=${delay}`,
    retryAfter === undefined || retryAfter === preset?.retryAfter ? '' : `retryAfter=${retryAfter}`,
    kind ?? '',
    alter === undefined ? '' : 'altered',
    code === null && Object.keys(headers).length > 0 ? 'headers' : '',
    bytesPerSecond === null ? '' : `bytesPerSecond=${bytesPerSecond}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
};

/** Whether an operation answers with a list: one that names no single row in its path. */
export const isList = ({ pathParameters }: AnyOperation): boolean =>
  Object.keys(pathParameters.type.props).length === 0;
