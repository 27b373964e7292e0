import { createHash } from 'node:crypto';
import type * as t from 'io-ts';
import type { Rendered } from '../api/rendered.js';
import type { OutgoingResponse } from './response.js';

/**
 * Adds the `ETag` of its bytes to a 200 with JSON, so that a client can ask whether they are still current.
 * The tags of bodies that are sent again are kept.
 */
export const entityTags = (): ((response: OutgoingResponse) => OutgoingResponse) => {
  const kept = new WeakMap<Rendered<t.Mixed>, string>();
  const tagOf = (body: Rendered<t.Mixed>): string => {
    const known = kept.get(body);
    if (known !== undefined) return known;
    const tag = `"${createHash('sha256').update(body.json).digest('base64url')}"`;
    kept.set(body, tag);
    return tag;
  };
  return (response) =>
    response.status === 200 && response.body !== undefined && 'json' in response.body
      ? { ...response, headers: { ...response.headers, ETag: tagOf(response.body) } }
      : response;
};
