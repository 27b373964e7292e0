import type { RequestError } from '../client/fetch-send.js';
import { type NamedSecret, type OutgoingRequest, toHttpRequest } from '../client/outgoing-request.js';

/** Replaces secrets in text. */
export type Redact = (text: string) => string;

/** Replaces a secret. */
export const redactedMark = '[secret]';

/**
 * Replaces these secrets wherever they occur in a text, also when escaped for a URL. A server may echo what
 * it was sent, and reports are stored and shared.
 */
export const secretRedactor = (secrets: readonly string[]): Redact => {
  const forms = secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .filter((form) => form !== '')
    // The longest first: one secret may be a prefix of another.
    .sort((l, r) => r.length - l.length);
  return (text) => forms.reduce((left, form) => left.replaceAll(form, redactedMark), text);
};

/** Truncates a value for a report. Redact it first: a truncated secret is not recognised. */
export const truncate = (text: string): string => {
  // What a server sends may have millions.
  const characters = Array.from(text.slice(0, 402));
  return characters.length > 200 ? `${characters.slice(0, 200).join('')}…` : text;
};

/** A value as JSON. */
export const jsonText = (value: unknown): string => JSON.stringify(value) ?? 'nothing';

/**
 * A request as a command that repeats it. A secret of the run is the variable in which `verify` takes it; one
 * that was altered is described.
 */
export const curlCommand = (url: string, cookieName: string, request: OutgoingRequest): string => {
  const { session, bearer, other } = request.auth;
  const auth = { session: session && inShell(session), bearer: bearer && inShell(bearer) };
  const { method, target, headers } = toHttpRequest(cookieName, {
    ...request,
    auth: other === undefined ? auth : { ...auth, other: { ...other, secret: inShell(other.secret) } },
  });
  const { Accept: _, ...credentials } = headers;
  return [
    { GET: 'curl -i', HEAD: 'curl -I', OPTIONS: 'curl -i -X OPTIONS' }[method],
    ...Object.entries(credentials).map(([name, value]) => `-H "${name}: ${value}"`),
    `'${url}${target.replaceAll("'", '%27')}'`,
  ].join(' ');
};

const inShell = ({ name, value }: NamedSecret): NamedSecret => {
  if (name.startsWith('invalid ')) return { name, value };
  const isOption = /^(?:other |expired )?(?:session|token)$/.test(name);
  return { name, value: isOption ? `$TRIAGE_${name.toUpperCase().replace(' ', '_')}` : `<${name}>` };
};

/** The length of an array, in words. */
export const itemsText = (count: number): string => (count === 1 ? '1 item' : `${count} items`);

/** A titled part of a report; nothing if it has no lines. */
export const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`), ''];

/** Why a server has given no response, for people, with the option that allows longer ones. */
export const noResponseReason = (error: Exclude<RequestError, { _tag: 'BudgetSpent' }>): string => {
  switch (error._tag) {
    case 'Unreachable':
      return error.reason;
    case 'ResponseTooLong':
      return `the response to ${error.request} is longer than ${sizeText(error.maxBytes)} (--max-body)`;
    case 'ResponsesTooLarge':
      return `with the response to ${error.request}, all take too much memory; a larger --max-body allows more`;
  }
};

/** A size as `--max-body` takes it: `64mb`. */
const sizeText = (bytes: number): string => {
  if (bytes % 1024 ** 2 === 0) return `${bytes / 1024 ** 2}mb`;
  return bytes % 1024 === 0 ? `${bytes / 1024}kb` : `${bytes} bytes`;
};
