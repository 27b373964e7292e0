import { setTimeout as sleep } from 'node:timers/promises';
import { aTenantOf } from '../test/postgres/_postgres.js';
import { type LoadReport, runLoad } from './load.js';
import { sampleOf } from './mutation/mutations.js';
import { addSessions, cookieOf, sessionsOf, vacuum, withServingRole } from './postgres.js';
import { serveWords } from './processes.js';
import type { Context, Report, Result } from './report.js';

const large = 'large';
const small = 'small';

/** How many clients read pages of the large tenant at once. */
const crowds = [50, 100, 200, 600, 1300];

/** Each tenant has so many sessions, which its clients use in turns. */
const sessions = 10;

type Requests = Pick<Parameters<typeof runLoad>[1], 'paths' | 'connections' | 'seconds' | 'pause'>;

/** Serves tenants of these sizes from PostgreSQL to some work, which gets a function that sends requests of one. */
const withTenants = (
  context: Context,
  sizes: Readonly<Record<string, number>>,
  work: (send: (tenant: string, requests: Requests) => Promise<LoadReport>) => Promise<Report>,
): Promise<Report> =>
  withServingRole('overload', async (client, _, role) => {
    for (const [tenant, rows] of Object.entries(sizes)) {
      await aTenantOf(client, tenant, rows);
      await addSessions(client, tenant, sessions);
    }
    await vacuum(client);
    const { url } = await context.start('triage-api', {
      words: serveWords(['--database-url', role]),
      path: '/api/v1/findings?limit=1',
      headers: cookieOf(large),
    });
    return work((tenant, requests) =>
      runLoad(context, { url, headers: sessionsOf(tenant, sessions), pauseAfter503: 50, ...requests }),
    );
  });

/** Some pages of the findings of a tenant of so many rows, in any order. */
const somePages = (rows: number, count: number): readonly string[] => {
  const numbers = Array.from({ length: rows / 25 }, (_, i) => i + 1);
  return sampleOf(numbers, count, 1).map((page) => `/api/v1/findings?page=${page}`);
};

const describeLoad = ({ rate, refusals, failures, seconds, p50 }: LoadReport): string =>
  `${rate.toFixed(0)} responses a second (p50 ${p50.toFixed(0)} ms), ` +
  `${(refusals / seconds).toFixed(0)} refused, ${failures} failed`;

/**
 * What becomes of a tenant, and of a small one beside it, when ever more clients read distinct pages of it:
 * responses with status 200 per second, and the p90 of two clients of the small tenant.
 */
export const overload = (context: Context): Promise<Report> =>
  withTenants(context, { [large]: 50_000, [small]: 100 }, async (send) => {
    const { seconds, print } = context;
    const pages = somePages(50_000, 2000);
    const lists = ['/api/v1/findings', '/api/v1/prs', '/api/v1/repos'];
    const ofSmall = () => send(small, { paths: lists, connections: 2, seconds, pause: 5 });
    await send(large, { paths: pages, connections: 8, seconds });
    await ofSmall();
    const alone = await ofSmall();
    const measured: Readonly<{ rate: number; beside: LoadReport }>[] = [];
    for (const crowd of crowds) {
      const reading = send(large, { paths: pages, connections: crowd, seconds: seconds + 3 });
      await sleep(2000);
      const beside = await ofSmall();
      const read = await reading;
      measured.push({ rate: read.rate, beside });
      print(
        `${crowd} clients: ${describeLoad(read)}; small tenant: p90 ${beside.p90.toFixed(1)} ms ` +
          `(alone ${alone.p90.toFixed(1)}), ${beside.refusals} refused`,
      );
    }
    const rates = measured.map(({ rate }) => rate);
    return {
      results: [
        {
          measure: 'fewest responses a second of a crowd',
          comparedWith: 'most',
          value: Math.min(...rates) / Math.max(...rates),
          atLeast: 0.7,
        },
        {
          measure: 'p90 of a small tenant beside a crowd, the longest',
          comparedWith: 'alone',
          value: Math.max(...measured.map(({ beside }) => beside.p90)) / alone.p90,
          atMost: 4,
        },
        {
          measure: 'requests of the small tenant that were refused or failed',
          value: measured.reduce((sum, { beside }) => sum + beside.refusals + beside.failures, 0),
          unit: '',
          atMost: 0,
        },
      ],
    };
  });

/**
 * What clients of one very large tenant get at the default timeout: of 16 at once, and of one alone, responses
 * per second.
 */
export const largeTenant = (context: Context): Promise<Report> => {
  const rows = context.quick ? 40_000 : 400_000;
  return withTenants(context, { [large]: rows }, async (send) => {
    const results: Result[] = [];
    for (const [name, paths] of [
      ['the first page of findings', ['/api/v1/findings']],
      ['random pages of findings', somePages(rows, 1000)],
      ['repos', ['/api/v1/repos']],
    ] as const) {
      const rateOf = async (connections: number): Promise<number> => {
        const read = await send(large, { paths, connections, seconds: context.seconds + 3 });
        context.print(`${name}, ${connections} clients: ${describeLoad(read)}`);
        return read.rate;
      };
      const alone = await rateOf(1);
      const value = (await rateOf(16)) / alone;
      const measure = `${name} of ${rows.toLocaleString('en')} rows, 16 clients`;
      results.push({ measure, comparedWith: 'one client', value });
    }
    return { results };
  });
};
