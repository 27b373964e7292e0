import { fileURLToPath } from 'node:url';
import * as E from '#fp-ts/Either';

/**
 * The path of a file or a directory that is given as a path or a URL. `left`: why the URL has none; `what`
 * names the option.
 */
export const pathOf = (what: string, given: string | URL): E.Either<readonly string[], string> => {
  if (typeof given === 'string') return E.right(given);
  if (given.protocol !== 'file:') return E.left([`${what}: expected a file: URL, got "${given.protocol}"`]);
  return E.tryCatch(
    () => fileURLToPath(given),
    (error) => [`${what}: ${error instanceof Error ? error.message : String(error)}`],
  );
};
