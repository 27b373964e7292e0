import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { writeDemo } from '../browser/_demo.js';
import { wholeVisit } from '../browser/_journey.js';
import { startNginx } from './_nginx.js';

test('a visit to a demo below a path of nginx', async (t) => {
  const folder = await writeDemo(t, 'x/y');
  for (const path of ['', 'x', 'x/y']) await chmod(join(folder, path), 0o755);
  const nginx = await startNginx(
    (port) => `types { text/html html; text/css css; text/javascript js; }
server {
  listen 127.0.0.1:${port};
  root ${folder};
  absolute_redirect off;
  location / { return 404; }
  location /x/y/ { error_page 404 /x/y/404.html; }
}`,
  );
  t.teardown(nginx.stop);
  await wholeVisit(t, `${nginx.url}/x/y/`);
});
