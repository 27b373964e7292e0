import type { JsonObject } from './json.js';

const parameter = (name: string, description: string): JsonObject => ({
  name,
  in: 'header',
  required: false,
  description: `*A mock control, and no part of the API.* ${description}`,
  'x-triage-mock-control': true,
  schema: { type: 'string' },
});

/**
 * The request headers by which a mock server simulates something. Only the document that such a server serves
 * has them: programs that are written against the API do not send them. They have no examples, because most
 * tools send those.
 */
export const mockControlParameters: readonly JsonObject[] = [
  parameter(
    'Prefer',
    'Simulates a failure: `code=503`, `delay=1500` (milliseconds), `hang`, `drop`, `truncate`, `malformed` or, for lists, `empty`; several with commas between them.',
  ),
  parameter(
    'X-Triage-Explain',
    'With the value `1`, the response header `X-Triage-Explanation` tells whose list this is, and how many rows each filter has left.',
  ),
];
