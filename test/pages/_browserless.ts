import type { ExecutionContext } from 'ava';
import type { ServerConfig } from '../../src/start/start-server.js';
import { type AttemptLimits, limiterOf } from '../_limits.js';
import { serve, type TestServer, testAccounts } from '../_server.js';
import { acme, other } from '../koa/_world.js';

/** A server of two tenants whose new accounts begin with acme's rows. */
export const serveWeb = (
  test: ExecutionContext,
  over: Partial<ServerConfig> = {},
  limits: Partial<AttemptLimits> = {},
): Promise<TestServer> =>
  serve(test, [acme, other], {
    accounts: { ...testAccounts, attempts: limiterOf(limits), demo: () => acme },
    ...over,
  });

/** A post of JSON. */
export const json = (body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: 'POST',
  redirect: 'manual',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** A post of a form. */
export const form = (
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): RequestInit => ({
  method: 'POST',
  redirect: 'manual',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  body: new URLSearchParams(fields).toString(),
});

/** The value of the session cookie that an answer sets. */
export const sessionOf = (answer: Readonly<{ headers: Headers }>): string =>
  /^session=([^;]*)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] ?? '';

export const ann = { email: 'ann@new.test', name: 'Ann', password: 'correct horse' };
