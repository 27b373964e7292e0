import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import type { SwaggerUi } from '../http/web/docs-route.js';

/** Where `npm run build` puts the files of Swagger UI. */
const built = new URL('../../assets/', import.meta.url);

/** The script and stylesheet of Swagger UI out of a folder; `left`: why they cannot be had. */
export const readSwaggerUi = (folder: URL = built): E.Either<string, SwaggerUi> =>
  E.tryCatch(
    () => ({
      script: readFileSync(new URL('swagger-ui-bundle.js', folder), 'utf8'),
      stylesheet: readFileSync(new URL('swagger-ui.css', folder), 'utf8'),
    }),
    (error) =>
      `${fileURLToPath(folder)}: expected the files of Swagger UI, which \`npm run build\` puts there, got ${String(error)}`,
  );
