import { defineConfig } from '@playwright/test';
import { finding, many, tenant } from 'triage-api/fixtures';
import type { TriageWorker } from 'triage-api/playwright';

const { API_PORT = '4000', WEB_PORT = '5173', CI } = process.env;
const api = `http://127.0.0.1:${API_PORT}`;
const fixture = tenant({ findings: many(3, (i) => finding({ id: `fix_${i}`, severity: 'high' })) });

export default defineConfig<object, TriageWorker>({
  testDir: 'e2e',
  fullyParallel: true,
  forbidOnly: Boolean(CI),
  use: {
    triageApi: { url: api, tenant: { fixture }, now: '2026-11-20T12:00:00Z' },
    baseURL: `http://127.0.0.1:${WEB_PORT}`,
    // A Chromium of your own, instead of Playwright's.
    launchOptions: { executablePath: process.env.CHROMIUM },
  },
  webServer: [
    { command: `npx triage-api serve --quiet --port ${API_PORT}`, url: `${api}/readyz` },
    {
      command: `npx vite --host 127.0.0.1 --port ${WEB_PORT} --strictPort`,
      url: `http://127.0.0.1:${WEB_PORT}`,
      env: { TRIAGE_API: api },
    },
  ],
});
