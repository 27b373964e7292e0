import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import type { SwaggerUi } from '../http/web/docs-route.js';

/** The directory into which `npm run build` copies the files of Swagger UI. */
const assets = new URL('../../assets/', import.meta.url);

/** Reads the script and the stylesheet of Swagger UI. `left`: why they cannot be read. */
export const readSwaggerUi = (folder: URL = assets): E.Either<string, SwaggerUi> =>
  E.tryCatch(
    () => ({
      script: readFileSync(new URL('swagger-ui-bundle.js', folder), 'utf8'),
      stylesheet: readFileSync(new URL('swagger-ui.css', folder), 'utf8'),
    }),
    (error) =>
      `${fileURLToPath(folder)}: the files of Swagger UI are missing; run \`npm run build\` (${String(error)})`,
  );
