import test from 'ava';
import { block, documentText } from '../_documented.js';
import { findChromium } from '../browser/_chromium.js';
import { freePort } from '../postgres/_embedded.js';
import { recipeProject, sh } from './_recipe-project.js';

const page = documentText('recipes.md');

const config = `import { defineConfig } from '@playwright/test';
import { finding, tenant } from 'triage-api/fixtures';

const { API_PORT, WEB_PORT, CHROMIUM } = process.env;
const api = 'http://127.0.0.1:' + API_PORT;

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  timeout: 0,
  expect: { timeout: 300_000 },
  use: {
    triageApi: { url: api, tenant: { fixture: tenant({ findings: [finding({ id: 'fix_0' })] }) } },
    baseURL: 'http://127.0.0.1:' + WEB_PORT,
    launchOptions: { executablePath: CHROMIUM },
  },
  webServer: [
    { command: 'npx triage-api serve --quiet --port ' + API_PORT, url: api + '/readyz', timeout: 300_000 },
    {
      command: 'npx next dev --webpack --hostname 127.0.0.1 --port ' + WEB_PORT,
      url: 'http://127.0.0.1:' + WEB_PORT,
      env: { TRIAGE_API: api, NEXT_TELEMETRY_DISABLED: '1' },
      timeout: 300_000,
    },
  ],
});
`;

test('pages that Next.js renders for four workers at once show each the data of its own tenant', async (t) => {
  const shown = block(page, 'js server-component-test');
  const [head = '', body = ''] = shown.split(/^(?=test\()/m);
  const copies = Array.from({ length: 20 }, (_, i) =>
    body.replace("test('lists", `test('${i} lists`).replaceAll('left-pad', `package-${i}`),
  );
  const project = await recipeProject(t, {
    'playwright.config.mjs': config,
    'app/page.jsx': block(page, 'jsx server-component'),
    'app/layout.jsx': `export default ({ children }) => <html lang="en"><body>{children}</body></html>;`,
    'e2e/page.spec.mjs': [head, ...copies].join('\n'),
  });
  const environment = {
    API_PORT: String(await freePort()),
    WEB_PORT: String(await freePort()),
    CHROMIUM: findChromium() ?? '',
  };
  const { code, out } = await sh(t, project, 'npx playwright test --workers 4 --reporter list', environment);
  t.is(code, 0, out);
  t.regex(out, /^ +20 passed/m);
});
