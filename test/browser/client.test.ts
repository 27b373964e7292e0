import test from 'ava';
import { startTriageApi } from '../../src/test-server/index.js';
import { bundleForBrowsers } from '../_bundle.js';
import { browse } from './_browser.js';

/** A front end that calls the API with the client; the browser sends the session cookie. */
const frontEnd = `
  import { createClient, fetchSend } from 'triage-api/client';
  const client = createClient({ send: fetchSend({ baseUrl: location.origin, credentials: 'include' }) });
  export const read = () => client.listFindings({ query: { limit: 2 } })();
  export const missing = () => client.getFinding({ path: { id: 'nope' } })();
`;

test('the client works in a browser, with the session cookie that the browser keeps', async (t) => {
  const { url, session, stop } = await startTriageApi({ now: '2026-11-20T12:00:00Z' });
  t.teardown(stop);
  const { script } = await bundleForBrowsers(frontEnd);
  const context = await browse(t, { bypassCSP: true });
  const page = await context.newPage();
  await page.goto(url);
  await page.addScriptTag({ content: script });
  const withoutSession = await page.evaluate('bundled.read()');
  await context.addCookies([{ name: 'session', value: session, url }]);
  const findings = Object(await page.evaluate('bundled.read()'));
  const missing = await page.evaluate('bundled.missing()');

  t.like(withoutSession, { left: { _tag: 'ErrorResponse', status: 401, message: 'Unauthorized' } });
  t.is(findings._tag, 'Right');
  t.is(findings.right.items.length, 2);
  t.like(missing, { left: { _tag: 'ErrorResponse', status: 404, message: 'finding not found' } });
});
