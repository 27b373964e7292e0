import test, { type ExecutionContext } from 'ava';
import { browse } from '../browser/_browser.js';
import { listen } from '../cli/_cli.js';
import { startFrontEnd } from './_front-ends.js';
import { reactApp } from './_react-app.js';

/** Logs in, and looks whether the filter shows fewer findings. */
const useIt = async (t: ExecutionContext, url: string): Promise<void> => {
  const page = await (await browse(t)).newPage();
  await page.goto(url);
  await page.getByLabel('E-mail').fill('dana@acme.test');
  await page.getByLabel('Password').fill('wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('alert').getByText('The e-mail address or the password is wrong').waitFor();
  await page.getByLabel('Password').fill('acme-password');
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('status').getByText('41 findings').waitFor();
  await page.getByLabel('Severity').selectOption('high');
  await page.getByRole('status').getByText('16 findings').waitFor();
  t.is(
    await page
      .getByRole('listitem')
      .getByText(/: high$/)
      .count(),
    16,
  );
};

test('the page with React works through the proxy of Vite', async (t) => {
  const { url: target } = await listen(t, ['--now', '2026-11-20T12:00:00Z']);
  await useIt(t, await startFrontEnd(t, 'vite', reactApp, { TRIAGE_API: target }));
});

test('the page with React works by CORS', async (t) => {
  const { url: target } = await listen(t, ['--now', '2026-11-20T12:00:00Z']);
  await useIt(
    t,
    await startFrontEnd(t, 'vite', reactApp, { VITE_TRIAGE_API: target, TRIAGE_API: 'http://127.0.0.1:1' }),
  );
});
