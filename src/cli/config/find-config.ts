import * as E from '#fp-ts/Either';
import type { ChosenConfig } from './config-options.js';
import { mayHaveConfig } from './config-places.js';
import type { ConfigFile } from './read-config.js';

/**
 * The chosen config file; null: there is none. `left`: why it cannot be used, one line each. What reads the
 * file is loaded only if there is one.
 */
export const findConfig = async (
  chosen: ChosenConfig,
): Promise<E.Either<readonly string[], ConfigFile | null>> => {
  if (chosen._tag === 'None' || (chosen._tag === 'Found' && !mayHaveConfig())) return E.right(null);
  return (await import('./read-config.js')).readConfig(chosen);
};
