import test from 'ava';
import { aDraft, aPullRequest, aRepo, aSession, aUser, dataset } from '../_data.js';
import { serve } from '../_server.js';
import { violations } from './_axe.js';
import { visits } from './_explorer.js';

const long = 'a'.repeat(200);
const rightToLeft = 'حزمة برمجية '.repeat(16);

const tenant = dataset({
  user: { ...aUser('large'), name: long.slice(0, 100) },
  sessions: [aSession('large-session')],
  repos: [aRepo('r0', { owner: long, repo: rightToLeft }), aRepo(long)],
  fixDrafts: Array.from({ length: 10_000 }, (_, index) =>
    aDraft(`d${index}`, index % 2 === 0 ? 'r0' : long, {
      package: index % 2 === 0 ? long : rightToLeft,
      ecosystem: rightToLeft,
      vulnerableRange: long,
      advisoryId: `GHSA-${index}`,
      ciStatus: long,
    }),
  ),
  pullRequests: Array.from({ length: 200 }, (_, index) =>
    aPullRequest(`p${index}`, 'd1', {
      branch: long,
      prState: index % 2 === 0 ? long : rightToLeft,
      codemodSummary: `- ${long}\n+ ${rightToLeft}\n`.repeat(index % 9),
    }),
  ),
});

for (const width of [390, 1280]) {
  test(`10,000 findings with long and right-to-left texts fit into ${width} pixels`, async (t) => {
    const { url } = await serve(t, [tenant]);
    const { page, visit } = await visits(t, url, { viewport: { width, height: 800 }, bypassCSP: true });
    for (const path of [
      '/explore',
      '/explore/repos',
      '/explore/findings?page=400',
      '/explore/findings/d1',
      '/explore/prs?page=2',
    ]) {
      await visit('large', path);
      t.true((await page.evaluate<number>('document.documentElement.scrollWidth')) <= width, path);
    }
    // It takes long on large pages: this is the one that shows most.
    t.deepEqual(await violations(page), []);
    await visit('large', '/explore');
    await page.getByText('of 10,000 findings').waitFor();
  });
}
