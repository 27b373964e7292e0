import test from 'ava';
import type { WatchCache } from '../../../src/storage/postgres/reads.js';
import { postgresStorage } from '../../../src/storage/postgres/storage.js';
import { cookie, serve } from '../../_server.js';
import { acme } from '../../http/_world.js';
import { opened, withPostgres } from './_postgres.js';

const { filled } = withPostgres(test);

test('a read says whose credentials it accepted, and pools and caches say how they are used', async (t) => {
  const url = await filled(t, acme);
  const caches = new Map<string, Parameters<WatchCache>[1]>();
  const pool = opened(t, url);
  const storage = postgresStorage(
    { database: pool },
    () => {},
    undefined,
    (call, figures) => caches.set(call, figures),
  );
  const { ask, accessed, untilAccessed } = await serve(t, [], { storage });
  for (const session of ['acme-cookie', 'acme-cookie', 'unknown']) {
    await ask('/api/v1/findings', cookie(session));
  }
  await untilAccessed(3);
  t.deepEqual(
    accessed.map(({ tenantId }) => tenantId),
    ['acme', 'acme', null],
  );
  t.deepEqual([...caches.keys()], ['repos', 'findings', 'finding', 'prs']);
  const { hits, misses, size } = caches.get('findings')?.() ?? { hits: 0, misses: 0, size: 0 };
  t.deepEqual([hits, misses, size > 0], [1, 2, true]);
  const { total, idle, waiting } = pool.connections();
  t.deepEqual([total > 0, idle <= total, waiting], [true, true, 0]);
});
