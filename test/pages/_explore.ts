import { serve, type TestLife, type TestServer } from '../_server.js';
import { acme, nobody, other } from '../koa/_world.js';

/** The headers of a browser with a session that asks for a page. */
export const browser = (session: string): RequestInit => ({
  redirect: 'manual',
  headers: { Cookie: `session=${session}`, Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
});

/** A server with the usual tenants. */
export const serveWorld = (
  test: TestLife,
  ...more: Parameters<typeof serve> extends [unknown, unknown, ...infer Rest] ? Rest : never
): Promise<TestServer> => serve(test, [acme, other, nobody], ...more);

/** A script that is not that of the explorer. */
export const foreignScript = /<script(?! src="\/assets\/explore\.js" defer data-version="[\w-]*"><\/script>)/;

/** The text of a page as a reader sees it. */
export { textOf } from './explorer/_rows.js';
