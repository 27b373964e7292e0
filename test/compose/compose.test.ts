import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { root } from '../_compose.js';
import { documentText } from '../_documented.js';
import { run } from '../_package.js';
import { cookie } from '../_server.js';
import { directoryWith } from '../fixtures/_directory.js';
import { freePort } from '../postgres/_embedded.js';

const page = documentText('deploy.md');

test('the documented commands start a database and the API, and fill it', async (t) => {
  const port = await freePort();
  const file = (await readFile(join(root, 'compose.yaml'), 'utf8'))
    .replaceAll('build: .', `build: ${root}`)
    .replace("'127.0.0.1:4000:4000'", `'127.0.0.1:${port}:4000'`);
  const folder = await directoryWith(t, {});
  await writeFile(join(folder, 'compose.yaml'), file);
  await cp(join(root, 'compose'), join(folder, 'compose'), { recursive: true });
  const shell = (command: string) => run('sh', ['-e', '-c', command], folder, 590);
  t.teardown(async () => {
    await shell('docker compose down --volumes --rmi local --timeout 60');
  });

  const [, start = ''] = /^(sh compose\/make-secrets\.sh && docker compose up --build)$/m.exec(page) ?? [];
  await shell(`${start} --detach || { docker compose logs >&2; exit 1; }`);
  const url = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) await new Promise((resolve) => setTimeout(resolve, 200));
  const [, fill = ''] = /`(docker compose run --rm migrate .*?)`/.exec(page) ?? [];
  await shell(fill);
  const response = await fetch(`${url}/api/v1/findings`, cookie('acme-session'));
  t.is(response.status, 200);
  t.true(JSON.parse(await response.text()).totalItems > 0);
  await shell('docker compose exec -T api node bin/triage-api.js healthcheck');

  await shell('docker compose stop');
  const ended = await shell(
    'docker inspect --format "{{.State.ExitCode}}" $(docker compose ps --all --quiet)',
  );
  t.is(ended.stdout, '0\n0\n0\n', 'the database, the migration and the API');
});
