import { setTimeout as sleep } from 'node:timers/promises';
import { aTenantOf } from '../test/storage/postgres/_postgres.js';
import { type LoadReport, runLoad } from './load.js';
import { sampleOf } from './mutation/mutations.js';
import { cookieOf, vacuum, withServingRole } from './postgres.js';
import { serveWords } from './processes.js';
import type { Context, Report, Result } from './report.js';

const large = { tenant: 'large', rows: 50_000 };
const small = { tenant: 'small', rows: 100 };

/** How many clients read pages of the large tenant at once. */
const crowds = [50, 100, 200, 600, 1300];

/**
 * What becomes of a tenant, and of a small one beside it, when ever more clients read distinct pages of it:
 * responses with status 200 per second, and the p90 of two clients of the small tenant.
 */
export const overload = ({ processors, seconds, print, start }: Context): Promise<Report> =>
  withServingRole('overload', async (client, _, role) => {
    for (const { tenant, rows } of [large, small]) await aTenantOf(client, tenant, rows);
    await vacuum(client);
    const { url: served } = await start('triage-api', {
      words: serveWords(['--database-url', role]),
      path: '/api/v1/findings?limit=1',
      headers: cookieOf(small.tenant),
    });
    const load = { url: served, status: 200, pauseAfter503: 50 };
    const numbers = Array.from({ length: large.rows / 25 }, (_, i) => i + 1);
    const pages = sampleOf(numbers, numbers.length, 1).map((page) => `/api/v1/findings?page=${page}`);
    const ofLarge = (connections: number, length: number) =>
      runLoad(processors?.load, {
        ...load,
        paths: pages,
        headers: [cookieOf(large.tenant)],
        connections,
        seconds: length,
        pause: 0,
      });
    const ofSmall = () =>
      runLoad(processors?.load, {
        ...load,
        paths: ['/api/v1/findings', '/api/v1/prs', '/api/v1/repos'],
        headers: [cookieOf(small.tenant)],
        connections: 2,
        seconds,
        pause: 5,
      });
    await ofLarge(8, seconds);
    await ofSmall();
    const alone = await ofSmall();
    const measured: Readonly<{ rate: number; beside: LoadReport }>[] = [];
    for (const crowd of crowds) {
      const reading = ofLarge(crowd, seconds + 3);
      await sleep(2000);
      const beside = await ofSmall();
      const { requests, failures, refusals, seconds: took, p50 } = await reading;
      const rate = requests / took;
      measured.push({ rate, beside });
      print(
        `${crowd} clients: ${rate.toFixed(0)} responses a second (p50 ${p50.toFixed(0)} ms), ` +
          `${(refusals / took).toFixed(0)} refused, ${failures} failed; small tenant: ` +
          `p90 ${beside.p90.toFixed(1)} ms (alone ${alone.p90.toFixed(1)}), ${beside.refusals} refused`,
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
export const largeTenant = ({ processors, seconds, quick, print, start }: Context): Promise<Report> =>
  withServingRole('large', async (client, _, role) => {
    const rows = quick ? 40_000 : 400_000;
    await aTenantOf(client, large.tenant, rows);
    await vacuum(client);
    const path = '/api/v1/findings';
    const headers = cookieOf(large.tenant);
    const words = serveWords(['--database-url', role]);
    const { url } = await start('triage-api', { words, path, headers });
    const numbers = Array.from({ length: rows / 25 }, (_each, i) => i + 1);
    const pages = sampleOf(numbers, 1000, 1).map((page) => `${path}?page=${page}`);
    const results: Result[] = [];
    for (const [name, paths] of [
      ['the first page of findings', [path]],
      ['random pages of findings', pages],
      ['repos', ['/api/v1/repos']],
    ] as const) {
      const rateOf = async (connections: number): Promise<number> => {
        const load = { url, paths, headers: [headers], status: 200, pauseAfter503: 50, pause: 0 };
        const report = await runLoad(processors?.load, { ...load, connections, seconds: seconds + 3 });
        const { requests, refusals, failures, seconds: took, p50 } = report;
        print(
          `${name}, ${connections} clients: ${(requests / took).toFixed(0)} responses a second ` +
            `(p50 ${p50.toFixed(0)} ms), ${refusals} refused, ${failures} failed`,
        );
        return requests / took;
      };
      const alone = await rateOf(1);
      const value = (await rateOf(16)) / alone;
      const measure = `${name} of ${rows.toLocaleString('en')} rows, 16 clients`;
      results.push({ measure, comparedWith: 'one client', value });
    }
    return { results };
  });
