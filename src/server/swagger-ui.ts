import { accessSync, constants, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as E from '#fp-ts/Either';
import type { SwaggerUi } from '../http/web/swagger-ui.js';

/** The directory into which `npm run build` copies the files of Swagger UI. */
const assets = new URL('../../assets/', import.meta.url);

/**
 * The script and the stylesheet of Swagger UI. They are read when somebody opens the API reference, but that
 * they can be read is checked now. `left`: why they cannot.
 */
export const readSwaggerUi = (folder: URL = assets): E.Either<string, SwaggerUi> => {
  const script = new URL('swagger-ui-bundle.js', folder);
  const stylesheet = new URL('swagger-ui.css', folder);
  return E.tryCatch(
    () => {
      for (const file of [script, stylesheet]) accessSync(file, constants.R_OK);
      return {
        get script() {
          return readFileSync(script, 'utf8');
        },
        get stylesheet() {
          return readFileSync(stylesheet, 'utf8');
        },
      };
    },
    (error) =>
      `${fileURLToPath(folder)}: the files of Swagger UI are missing; run \`npm run build\` (${String(error)})`,
  );
};
