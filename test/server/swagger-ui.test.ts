import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { readSwaggerUi } from '../../src/server/start-server.js';
import { directoryWith } from '../storage/memory/_directory.js';

test('the build copies the files of Swagger UI', (t) => {
  const { script, stylesheet } = E.getOrElse(() => ({ script: '', stylesheet: '' }))(readSwaggerUi());
  t.regex(script, /SwaggerUIBundle/);
  t.regex(stylesheet, /\.swagger-ui/);
});

test('missing files of Swagger UI are an error that says what to run', async (t) => {
  const folder = await directoryWith(t, {});
  const missing = readSwaggerUi(pathToFileURL(join(folder, 'assets/')));
  t.regex(
    E.isLeft(missing) ? missing.left : '',
    /assets.*: the files of Swagger UI are missing; run `npm run build` \(.*ENOENT/,
  );
});
