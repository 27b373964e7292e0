import { createServer } from 'node:http';
import type { ExecutionContext } from 'ava';
import { portOf } from '../contract-tools/verify/_port.js';

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
  const server = createServer(async ({ url, method = 'GET', headers }, response) => {
    if (left === 0) return stall();
    left -= 1;
    const { cookie, authorization } = headers;
    const answer = await fetch(`${real}${url}`, {
      method,
      headers: { ...(cookie && { cookie }), ...(authorization && { authorization }) },
    });
    const { 'content-type': type, allow } = Object.fromEntries(answer.headers);
    response.writeHead(answer.status, { ...(type && { 'content-type': type }), ...(allow && { allow }) });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${portOf(server)}`, stalled };
};
