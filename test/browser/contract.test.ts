import test from 'ava';
import { startTriageApi } from '../../src/test-server/index.js';
import { bundleForBrowsers } from '../_bundle.js';
import { browse } from './_browser.js';

/** What a front end makes of an answer: the page of findings, or what is wrong with it. */
const frontEnd = `
  import { decode, FindingPage, formatProblem, prStatusOf } from 'triage-api/contract';
  export const read = async (path) => {
    const decoded = decode(FindingPage, await (await fetch(path)).json());
    return decoded._tag === 'Right' ? decoded.right : decoded.left.map(formatProblem);
  };
  export const closed = prStatusOf('cancelled');
`;

test('a browser decodes what the server answers, with the contract’s own codecs', async (t) => {
  const { url, session, stop } = await startTriageApi({ now: '2026-11-20T12:00:00Z' });
  t.teardown(stop);
  const { script } = await bundleForBrowsers(frontEnd);
  const context = await browse(t, { bypassCSP: true });
  await context.addCookies([{ name: 'session', value: session, url }]);
  const page = await context.newPage();
  await page.goto(url);
  await page.addScriptTag({ content: script });
  const first = await page.evaluate(
    `bundled.read('/api/v1/findings?limit=2').then(({ items, totalItems }) => [items.length, items[0].id, totalItems])`,
  );
  const expected = Object(
    await (await fetch(`${url}/api/v1/findings`, { headers: { Cookie: `session=${session}` } })).json(),
  );
  t.deepEqual(first, [2, expected.items[0].id, 41]);
  t.deepEqual(
    await page.evaluate(`bundled.read('/api/v1/repos').then((problems) => problems.length > 0)`),
    true,
  );
  t.is(await page.evaluate('bundled.closed'), 'closed');
});
