import type { ExecutionContext } from 'ava';
import { serveWith } from '../_server.js';

/** A proxy that forwards a number of requests and leaves the next one without a response. */
export type StallingProxy = Readonly<{
  url: string;
  /** Resolves once a request is left without a response. */
  stalled: Promise<void>;
}>;

/** Starts a proxy to a server that stalls after `good` requests. */
export const stallingProxy = async (
  t: ExecutionContext,
  real: string,
  good: number,
): Promise<StallingProxy> => {
  let left = good;
  let stall = (): void => {};
  const stalled = new Promise<void>((resolve) => {
    stall = resolve;
  });
  const url = await serveWith(t, async ({ url: path, method = 'GET', headers }, response) => {
    if (left === 0) return stall();
    left -= 1;
    const { cookie, authorization } = headers;
    const answer = await fetch(`${real}${path}`, {
      method,
      headers: { ...(cookie && { cookie }), ...(authorization && { authorization }) },
    });
    const { 'content-type': type, allow } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, { ...(type && { 'content-type': type }), ...(allow && { allow }) });
    response.end(await answer.text());
  });
  return { url, stalled };
};
