import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { maxSlicesBetween } from '../../src/storage/fixtures/slices.js';
import { atLeast, type Result, type SectionContext, type SectionReport } from '../section.js';
import { startServerProcess } from '../server-process.js';
import { type Setup, withSetup } from './bench-setup.js';
import type { Contestant } from './contestant.js';
import { inTurns, measureRound, type Runner, ratiosOf } from './in-turns.js';
import { serverFile } from './own-servers.js';
import { shuffled } from './shuffled.js';

const limit = 25;

/**
 * Whether a request costs more in a large tenant, on a late page, among many tenants, or if nobody has sent it
 * before.
 */
export const benchGrowth = (context: SectionContext): Promise<SectionReport> =>
  withSetup(context, async (setup) => {
    const [few, many, manyTenants] = context.quick ? [1000, 100_000, 1000] : [1000, 1_000_000, 10_000];
    const results = [
      ...(await growthOfTenant(context, setup, few, many)),
      ...(await growthInTenants(context, setup, manyTenants)),
    ];
    return { results, servers: [], watched: {} };
  });

const figure = (count: number): string => count.toLocaleString('en');

/** Starts our server over so many tenants with so many findings each. */
const generated = async (
  { print }: SectionContext,
  { processors, until }: Setup,
  tenants: number,
  findings: number,
): Promise<(path: string) => Contestant> => {
  const name = `${tenants === 1 ? 'a tenant' : `${figure(tenants)} tenants`} of ${figure(findings)} findings`;
  print(`building ${name} …`);
  const words = ['--tenants', `${tenants}`, '--findings', `${findings}`];
  const { url, pid } = until(
    await startServerProcess(serverFile('generated'), words, { processor: processors?.server }),
  );
  return (path) => ({ name, work: '', url: `${url}${path}`, headers: { cookie: 'session=bench-0' }, pid });
};

/** Sends the lines of a file in turns, each as late as possible again. */
const rotating = ({ tool }: Setup, contestant: Contestant, file: string): Runner => {
  let skipped = 0;
  return async (seconds) => {
    const round = await measureRound(tool, { ...contestant, headers: {} }, seconds, { file, skipped });
    skipped += round.requests;
    return round;
  };
};

const growthOfTenant = async (
  context: SectionContext,
  setup: Setup,
  few: number,
  many: number,
): Promise<readonly Result[]> => {
  const small = await generated(context, setup, 1, few);
  const large = await generated(context, setup, 1, many);
  const page = (list: string, number: number): string => `/api/v1/${list}page=${number}&limit=${limit}`;
  const steady =
    (contestant: Contestant): Runner =>
    (seconds) =>
      measureRound(setup.tool, contestant, seconds);
  const results: Result[] = [];
  for (const [list, rows] of [
    ['findings?', many],
    ['prs?status=open&', many / 2],
  ] as const) {
    const [inSmall = [], first = [], last = []] = await inTurns(context, [
      steady(small(page(list, 1))),
      steady(large(page(list, 1))),
      steady(large(page(list, rows / limit))),
    ]);
    const name = `GET /api/v1/${list.slice(0, -1)}`;
    results.push(
      atLeast(0.9, {
        measure: `${name}, ${figure(many)} findings`,
        comparedWith: `${figure(few)} findings`,
        ...ratiosOf(first, inSmall),
      }),
      atLeast(0.9, {
        measure: `${name}, last page`,
        comparedWith: 'the first page',
        ...ratiosOf(last, first),
      }),
    );
  }
  if (many / limit <= 2 * maxSlicesBetween) {
    context.print(
      `${figure(many / limit)} pages are few enough to be kept: what a page costs that is not is left out`,
    );
    return results;
  }
  const everyPage = join(setup.directory, 'pages.txt');
  await writeFile(
    everyPage,
    shuffled(many / limit, 1)
      .map((i) => `${page('findings?', i + 1)} session=bench-0\n`)
      .join(''),
  );
  const [hits = [], misses = []] = await inTurns({ ...context, seconds: 1 }, [
    rotating(setup, large(''), await onlyRequest(setup, page('findings?', 1))),
    rotating(setup, large(''), everyPage),
  ]);
  results.push(
    atLeast(0.5, {
      measure: `GET /api/v1/findings, ${figure(many / limit)} pages in turns`,
      comparedWith: 'the same page again',
      ...ratiosOf(misses, hits),
    }),
  );
  return results;
};

const growthInTenants = async (
  context: SectionContext,
  setup: Setup,
  many: number,
): Promise<readonly Result[]> => {
  const cookies = join(setup.directory, 'cookies.txt');
  const one = await generated(context, setup, 1, limit);
  const all = await generated(context, setup, many, limit);
  const path = '/api/v1/findings';
  await writeFile(
    cookies,
    shuffled(many, 1)
      .map((i) => `${path} session=bench-${i}\n`)
      .join(''),
  );
  const [single = [], rotated = []] = await inTurns(context, [
    rotating(setup, one(''), await onlyRequest(setup, path)),
    rotating(setup, all(''), cookies),
  ]);
  return [
    atLeast(0.9, {
      measure: `GET ${path}, ${figure(many)} tenants in turns`,
      comparedWith: 'one tenant',
      ...ratiosOf(rotated, single),
    }),
  ];
};

/** A file with one request of the first tenant, so that both sides are sent by the same script. */
const onlyRequest = async ({ directory }: Setup, path: string): Promise<string> => {
  const file = join(directory, 'one.txt');
  await writeFile(file, `${path} session=bench-0\n`);
  return file;
};
