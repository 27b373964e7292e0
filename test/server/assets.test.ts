import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import type { ReadAsset } from '../../src/pages/paths.js';
import { openAssets } from '../../src/server/start-server.js';
import { directoryWith } from '../storage/memory/_directory.js';

test('the build copies the files of Swagger UI', (t) => {
  const read = E.getOrElse((): ReadAsset => (name) => name)(openAssets());
  t.regex(read('swagger-ui-bundle.js'), /SwaggerUIBundle/);
  t.regex(read('swagger-ui.css'), /\.swagger-ui/);
});

test('missing files of pages are an error that says what to run', async (t) => {
  const folder = await directoryWith(t, {});
  const missing = openAssets(pathToFileURL(join(folder, 'assets/')));
  t.regex(
    E.isLeft(missing) ? missing.left : '',
    /^files of the web pages are missing; run `npm run build` \(.*ENOENT.*assets/,
  );
});
