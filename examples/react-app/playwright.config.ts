import { defineConfig } from '@playwright/test';

const { API_PORT = '4000', WEB_PORT = '5173', CI } = process.env;
export const api = `http://127.0.0.1:${API_PORT}`;

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  forbidOnly: Boolean(CI),
  use: {
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
