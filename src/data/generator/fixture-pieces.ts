import { accountOf } from './account.js';
import { tenantRows } from './tenant-rows.js';
import type { TenantSpec } from './tenant-spec.js';

type Collection = 'sessions' | 'apiTokens' | 'repos' | 'scans' | 'fixDrafts' | 'pullRequests';

/** A piece of a fixture file, and the collection that it is a row of. */
export type FixturePiece = Readonly<{ text: string; collection: Collection | null }>;

/**
 * The text of the fixture file of a tenant, in pieces, with a row on each line. A piece is generated when it
 * is asked for.
 */
export function* fixturePieces(spec: TenantSpec): Generator<FixturePiece> {
  const { user, session, apiToken } = accountOf(spec);
  const { repos, scans, fixDrafts, pullRequests } = tenantRows(spec);
  const collections: readonly (readonly [Collection, Iterable<unknown>])[] = [
    ['sessions', [session]],
    ['apiTokens', [apiToken]],
    ['repos', repos],
    ['scans', scans],
    ['fixDrafts', fixDrafts],
    ['pullRequests', pullRequests],
  ];
  yield {
    text: `{\n  "asOf": ${JSON.stringify(spec.asOf)},\n  "user": ${JSON.stringify(user)}`,
    collection: null,
  };
  for (const [collection, rows] of collections) {
    let separator = '';
    yield { text: `,\n  "${collection}": [`, collection: null };
    for (const row of rows) {
      yield { text: `${separator}\n    ${JSON.stringify(row)}`, collection };
      separator = ',';
    }
    yield { text: separator === '' ? ']' : '\n  ]', collection: null };
  }
  yield { text: '\n}\n', collection: null };
}
