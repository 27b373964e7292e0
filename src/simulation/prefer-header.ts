import { didYouMean } from '../common/messages.js';
import type { AnyOperation } from '../contract/operations.js';
import { effectOf, effectText, FaultKind, isList, namedBodies } from './effect.js';

/**
 * Reads the header `Prefer` (RFC 7240, section 2): its preferences by name, in lower case, and what is
 * malformed. One without a value has "". The first of several with one name counts; parameters are ignored.
 */
export const readPreferHeader = (header: string) => {
  const byName = new Map<string, string>();
  const malformed: string[] = [];
  for (const part of header.match(withoutCommas) ?? []) {
    const [, name, token, quoted] = preference.exec(part) ?? [];
    if (name === undefined) {
      if (part.trim() !== '') malformed.push(part.trim());
      continue;
    }
    const key = name.toLowerCase();
    if (!byName.has(key)) byName.set(key, token ?? quoted?.replaceAll(/\\(.)/g, '$1') ?? '');
  }
  return { byName, malformed };
};

/** What stands between commas that are not quoted. */
const withoutCommas = /(?:[^",]|"(?:[^"\\]|\\.)*(?:"|\\?$))+/gs;

/** A token, a value that is a token or a quoted text (RFC 9110, sections 5.6.2 and 5.6.4), and parameters. */
const preference =
  /^\s*([\w!#$%&'*+.^`|~-]+)(?:[ \t]*=[ \t]*(?:([\w!#$%&'*+.^`|~-]+)|"((?:[^"\\]|\\.)*)"))?\s*(?:;|$)/;

/** Preferences that are registered for others: no misspelt ones. */
const ofOthers = ['depth-noroot', 'handling', 'respond-async', 'return', 'safe', 'wait'];

/** So many unknown preferences are reported: to look for a similar name takes time for each. */
const maxUnknown = 10;

const kinds = Object.keys(FaultKind.codec.keys).filter((kind) => kind !== 'hold');
const known = ['code', 'body', 'delay', 'bytesPerSecond', 'location', 'state', ...kinds];

/**
 * What a client asks for with `Prefer`; null: nothing. The rest is ignored, as RFC 7240 wants it; a line each
 * says why. `maxDelay`: the longest delay in milliseconds, since every client may ask for one.
 */
export const preferredEffect = (header: string, operation: AnyOperation, maxDelay: number) => {
  const { byName, malformed } = readPreferHeader(header);
  const ignored = malformed.map((part) => `malformed preference ${JSON.stringify(part)}`);
  let unknown = 0;
  const numberIn = (name: string, isPossible: (value: number) => boolean, expected: string) => {
    const value = byName.get(name.toLowerCase());
    if (value === undefined) return undefined;
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (isPossible(number)) return number;
    ignored.push(`preference ${name}=${value}: expected ${expected}`);
    return undefined;
  };
  const location = byName.get('location');
  const preferredCode = numberIn(
    'code',
    (value) => isStatus(value) && (value >= 400 || value === 200 || location !== undefined),
    '200, a status from 400 to 599, or one from 300 with a location',
  );
  const bodyName = byName.get('body');
  const content = bodyName === undefined ? undefined : namedBodies.get(bodyName);
  if (bodyName !== undefined && content === undefined)
    ignored.push(`preference body=${bodyName}: expected ${Array.from(namedBodies.keys()).join(', ')}`);
  const code = preferredCode === 200 && content === undefined ? undefined : preferredCode;
  const isRedirect = code !== undefined && code >= 300 && code < 400;
  if (location !== undefined && !isRedirect) ignored.push('preference location: it needs a code such as 302');
  const delay = numberIn('delay', (value) => value <= maxDelay, `milliseconds from 0 to ${maxDelay}`);

  const bytesPerSecond = numberIn('bytesPerSecond', (value) => value >= 1, 'a number of bytes from 1');
  const headers = {
    ...content?.headers,
    ...(isRedirect && location !== undefined && { Location: location }),
  };

  let kind: FaultKind | undefined;
  /** Why a kind cannot be simulated here; null: it can. */
  const obstacle = (other: FaultKind): string | null => {
    if (other === 'hold') return 'only a rule can hold a response, until it is removed';
    if (kind !== undefined) return `it cannot be combined with ${kind}`;
    if (other === 'empty' && !isList(operation)) return `${operation.id} is no list`;
    if (other === 'empty' && content !== undefined) return 'it cannot be combined with a body';
    const hasStatus = other === 'empty' || effectOf({ kind: other }).code !== null;
    return hasStatus && code !== undefined ? 'it cannot be combined with a code' : null;
  };
  for (const name of byName.keys()) {
    if (FaultKind.is(name)) {
      const problem = obstacle(name);
      if (problem === null) kind = name;
      else ignored.push(`preference ${name}: ${problem}`);
    } else if (!known.some((each) => each.toLowerCase() === name) && !ofOthers.includes(name)) {
      unknown += 1;
      if (unknown > maxUnknown) continue;
      ignored.push(
        `unknown preference "${name}"${didYouMean(name, known) || `; known are ${known.join(', ')}`}`,
      );
    }
  }
  if (unknown > maxUnknown) ignored.push(`${unknown - maxUnknown} more unknown preferences`);
  const status = content === undefined ? code : (code ?? effectOf({ kind }).code ?? 200);
  const named = content && { body: content.body, bodyName };
  const effect = effectOf({ code: status, kind, delay, headers, bytesPerSecond, ...named });
  const state = byName.get('state');
  return {
    effect: effectText(effect) === '' ? null : effect,
    ignored,
    ...(state !== undefined && { state }),
  };
};

/** What a client prefers of a response that is no operation's, which nothing simulates; a line each. */
export const unusedPreferences = (header: string): readonly string[] => {
  const { byName, malformed } = readPreferHeader(header);
  const own = Array.from(byName).filter(([name]) => !ofOthers.includes(name));
  const texts = own.map(([name, value]) => (value === '' ? name : `${name}=${value}`));
  return [...malformed, ...texts].map(
    (text) => `preference ${text}: only operations of the API simulate one`,
  );
};

const isStatus = (value: number): boolean => value === 200 || (value >= 300 && value <= 599 && value !== 304);
