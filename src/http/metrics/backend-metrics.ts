import { Counter, Gauge, type Registry } from 'prom-client';

/** The connections of a pool to a database. */
export type PoolFigures = Readonly<{ total: number; idle: number; waiting: number }>;

/** How a cache has been used since the start, and how much it holds, in characters. */
export type CacheFigures = Readonly<{ hits: number; misses: number; size: number }>;

/** Where the parts of a server register their figures, which are read whenever the metrics are. */
export type BackendMetrics = Readonly<{
  watchConnections: (read: () => number) => void;
  watchPool: (pool: string, read: () => PoolFigures) => void;
  watchCache: (cache: string, read: () => CacheFigures) => void;
  onReload: (hasSucceeded: boolean) => void;
}>;

/** The version, open connections, pools, caches and reloads of fixtures. */
export const backendMetrics = (registry: Registry, version: string): BackendMetrics => {
  const registers = [registry];
  new Gauge({
    name: 'triage_build_info',
    help: 'Always 1; the label says which version runs.',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);

  let connections = (): number => 0;
  const open: Gauge = new Gauge({
    name: 'triage_http_connections',
    help: 'Open connections of clients.',
    registers,
    collect: () => open.set(connections()),
  });

  const pools = new Map<string, () => PoolFigures>();
  const pooled = new Gauge({
    name: 'triage_database_connections',
    help: 'Connections to a database, busy and idle.',
    labelNames: ['pool', 'state'],
    registers,
    collect: () => {
      for (const [pool, read] of pools) {
        const { total, idle } = read();
        pooled.set({ pool, state: 'idle' }, idle);
        pooled.set({ pool, state: 'busy' }, total - idle);
      }
    },
  });
  const waiting = new Gauge({
    name: 'triage_database_waiting',
    help: 'Statements that wait for a connection to a database.',
    labelNames: ['pool'],
    registers,
    collect: () => {
      for (const [pool, read] of pools) waiting.set({ pool }, read().waiting);
    },
  });

  const caches = new Map<string, () => CacheFigures>();
  const lookups = new Counter({
    name: 'triage_cache_lookups_total',
    help: 'Results that were asked for: kept (hit; the database then says whether they are current) or not (miss).',
    labelNames: ['cache', 'result'],
    registers,
    collect: () => {
      lookups.reset();
      for (const [cache, read] of caches) {
        const { hits, misses } = read();
        lookups.inc({ cache, result: 'hit' }, hits);
        lookups.inc({ cache, result: 'miss' }, misses);
      }
    },
  });
  const size = new Gauge({
    name: 'triage_cache_characters',
    help: 'How much JSON a cache keeps.',
    labelNames: ['cache'],
    registers,
    collect: () => {
      for (const [cache, read] of caches) size.set({ cache }, read().size);
    },
  });

  const reloads = new Counter({
    name: 'triage_fixture_reloads_total',
    help: 'Reloads of changed fixtures. After a failure, the previous ones are served.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of ['success', 'failure']) reloads.inc({ outcome }, 0);

  return {
    watchConnections: (read) => {
      connections = read;
    },
    watchPool: (pool, read) => void pools.set(pool, read),
    watchCache: (cache, read) => void caches.set(cache, read),
    onReload: (hasSucceeded) => reloads.inc({ outcome: hasSucceeded ? 'success' : 'failure' }),
  };
};
