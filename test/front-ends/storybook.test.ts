import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { browse } from '../browser/_browser.js';
import { reactApp } from './_react-app.js';
import { recipeProject, sh } from './_recipe-project.js';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
};

/** Serves the files of a folder until the test ends. Resolves to the URL. */
const serveFiles = async (t: ExecutionContext, folder: string): Promise<string> => {
  const server = createServer((request, response) => {
    const path = join(folder, new URL(request.url ?? '/', 'http://localhost').pathname);
    if (!existsSync(path)) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('Content-Type', types[extname(path)] ?? 'application/octet-stream');
    createReadStream(path).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${Object(server.address()).port}`;
};

test('the stories show the states of their tenants, without a server', async (t) => {
  const project = await recipeProject(t, reactApp);
  const environment = { STORYBOOK_DISABLE_TELEMETRY: '1' };
  const worker = await sh(t, project, 'npx msw init public', environment);
  t.is(worker.code, 0, worker.out);
  const built = await sh(t, project, 'npx storybook build --disable-telemetry --quiet -o built', environment);
  t.is(built.code, 0, built.out);
  const url = await serveFiles(t, join(project, 'built'));
  const tab = await (await browse(t)).newPage();
  for (const [story, shown] of [
    ['empty', '0 findings'],
    ['critical', '3 findings'],
    ['unavailable', 'The findings cannot be loaded. Please try again.'],
    ['empty', '0 findings'],
  ] as const) {
    await tab.goto(`${url}/iframe.html?id=findings--${story}&viewMode=story`);
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
