/** What this project decided about every operation, or about none in particular (docs/decisions.md). */
export const generalDecisions = {
  textOrder: 'Text is ordered by code point, in every storage.',
  ids: 'An id has from 1 to 200 characters.',
  failureOrder:
    'Of several failures, the first of these is reported: an unknown path (404), the method (405), the credentials (401), the parameters (400), a finding that does not exist (404).',
  methods: 'HEAD is answered like GET without the body, OPTIONS with `Allow`, any other method with 405.',
  targets:
    'A request target with `#`, a backslash or an unencoded character that is not ASCII, or that begins with `//`, is answered 400.',
  host: 'A `Host` header that is missing, malformed or given twice is answered 400.',
  allowedHosts: 'A request for a host that the server is not to answer for is answered 421.',
  pipelining:
    'Requests that a client sends without waiting for responses are answered in order, one at a time.',
} as const satisfies Readonly<Record<string, string>>;
