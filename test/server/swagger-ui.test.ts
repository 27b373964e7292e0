import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { readSwaggerUi } from '../../src/server/swagger-ui.js';
import { directoryWith } from '../storage/fixtures/_directory.js';

test('Swagger UI is there once the program is built', (t) => {
  const { script, stylesheet } = E.getOrElse(() => ({ script: '', stylesheet: '' }))(readSwaggerUi());
  t.regex(script, /SwaggerUIBundle/);
  t.regex(stylesheet, /\.swagger-ui/);
});

test('where it is not, it is said what to do', async (t) => {
  const folder = await directoryWith(t, {});
  const missing = readSwaggerUi(pathToFileURL(join(folder, 'assets/')));
  t.regex(
    E.isLeft(missing) ? missing.left : '',
    /assets.*: expected the files of Swagger UI, which `npm run build` puts there, got .*ENOENT/,
  );
});
