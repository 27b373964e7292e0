import { join } from 'node:path';
import test from 'ava';
import { browse } from '../browser/_browser.js';
import { staticHost } from '../browser/_static-host.js';
import { reactApp } from './_react-app.js';
import { recipeProject, sh } from './_recipe-project.js';

test('the stories show the states of their tenants, without a server', async (t) => {
  const project = await recipeProject(t, reactApp);
  const environment = { STORYBOOK_DISABLE_TELEMETRY: '1' };
  const worker = await sh(t, project, 'npx msw init public', environment);
  t.is(worker.code, 0, worker.out);
  const built = await sh(t, project, 'npx storybook build --disable-telemetry --quiet -o built', environment);
  t.is(built.code, 0, built.out);
  const { origin } = await staticHost(t, join(project, 'built'));
  const tab = await (await browse(t)).newPage();
  for (const [story, shown] of [
    ['empty', '0 findings'],
    ['critical', '3 findings'],
    ['unavailable', 'The findings cannot be loaded. Please try again.'],
    ['empty', '0 findings'],
  ] as const) {
    await tab.goto(`${origin}/iframe.html?id=findings--${story}&viewMode=story`);
    await tab.getByRole('status').getByText(shown).waitFor();
    t.is(
      await tab
        .getByRole('listitem')
        .getByText(/: critical$/)
        .count(),
      story === 'critical' ? 3 : 0,
    );
  }
});
