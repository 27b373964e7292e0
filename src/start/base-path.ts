import { StringCodec } from '../contract/codecs/text-and-numbers.js';

/** What paths of the service begin with: if a base path did, one could not tell which of the two is meant. */
const ownPath =
  /^\/(?:api(?:\/v1|$)|__admin|assets|docs|explore|healthz|login|logout|openapi\.json|readyz|session|settings|signup)(?:\/|$)/;

/** What comes before the paths of the service, such as `/mock` or `/a/b`; empty: nothing. */
export const BasePath = new StringCodec<string>(
  'a path such as /mock or /a/b, of letters, digits and "._~-", without a slash at its end',
  { pattern: /^(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/, maxLength: 200 },
  (text) => !ownPath.test(text),
  (text) =>
    ownPath.test(text) ? 'a path that does not begin like those of the service, such as /docs' : undefined,
);
