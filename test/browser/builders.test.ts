import test from 'ava';
import { finding, many, tenant } from '../../src/builders/index.js';
import { bundleForBrowsers } from '../_bundle.js';
import { browse } from './_browser.js';

test('a browser builds the same tenant as Node, and says that it has no files', async (t) => {
  const { script } = await bundleForBrowsers(`export * from 'triage-api/fixtures';`);
  const page = await (await browse(t)).newPage();
  await page.addScriptTag({ content: script });
  const [data, refusal] = Object(
    await page.evaluate(`(async () => {
      const { finding, many, tenant, writeFixture } = bundled;
      const data = tenant({ seed: 7, findings: many(5, () => finding({ repo: 'acme/web' })) });
      return [data, await writeFixture('mine.json', data).catch(({ problems }) => problems)];
    })()`),
  );
  t.deepEqual(data, tenant({ seed: 7, findings: many(5, () => finding({ repo: 'acme/web' })) }));
  t.deepEqual(refusal, ['writeFixture: this environment has no files; call it in Node']);
});
