import type { JsonResponse } from './json-response.js';

/** How a response can be broken on its way. */
export type Breakage = 'drop' | 'truncate' | 'malformed';

/** What is sent of a body, and how many bytes its head announces. */
export type BrokenContent = Readonly<{ sent: Uint8Array; announced: number }>;

/** No JSON goes on after its end. */
const surplus = '}';

/**
 * What is sent of a response that is broken on purpose: the only place that changes what a codec has
 * accepted. It is sent without an `ETag`, so that no client keeps it.
 */
export const brokenContent = ({ body }: JsonResponse, how: Breakage): BrokenContent => {
  const encoder = new TextEncoder();
  if (how === 'malformed') {
    const longer = encoder.encode(`${body.json}${surplus}`);
    return { sent: longer, announced: longer.length };
  }
  const whole = encoder.encode(body.json);
  const half = whole.subarray(0, Math.floor(whole.length / 2));
  return { sent: half, announced: how === 'drop' ? whole.length : half.length };
};
