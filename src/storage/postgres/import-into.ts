import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { StorageError } from '../port.js';
import { importTenants, type NotImported, tidy } from './import-tenants.js';
import { schemaProblem, schemaState } from './schema-state.js';
import { singleConnection } from './single-connection.js';
import { withConnection } from './with-connection.js';

/** Imports tenants into the database at a URL, if its schema is that of this version, and tells how many they were. */
export const importInto = (
  url: string,
  tenants: Parameters<typeof importTenants>[1],
  options: Parameters<typeof importTenants>[2],
): TE.TaskEither<StorageError | NotImported, number> =>
  withConnection(url, (client) =>
    pipe(
      schemaState(singleConnection(client)),
      TE.flatMap((state): TE.TaskEither<StorageError | NotImported, void> => {
        const problem = schemaProblem(state);
        return problem === null
          ? TE.right(undefined)
          : TE.left({ _tag: 'NotImported', lines: [problem], isTaken: false });
      }),
      TE.flatMap(() => importTenants(client, tenants, options)),
      TE.tap(() => TE.fromTask(() => tidy(client))),
    ),
  );
