import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import type { TestLife } from '../test/_server.js';
import { launch } from '../test/browser/_browser.js';
import { logInTo } from '../test/browser/_demo.js';
import { staticHost } from '../test/browser/_static-host.js';
import { median, medianAndRange } from './load.js';
import { triageApi } from './processes.js';
import type { Context, Report } from './report.js';

/** A worker that does nothing but answer. */
const trivialWorker = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) =>
  event.respondWith(
    new Response('<!doctype html><h1>Hello</h1>', { headers: { 'Content-Type': 'text/html' } }),
  ),
);
`;

const pages = [
  '',
  'login',
  'explore',
  'explore/repos',
  'explore/findings?limit=100',
  'explore/findings/fix_0001',
  'explore/prs?limit=100',
  'explore/controls',
  'settings/account',
  'settings/api-tokens',
  'docs',
  'openapi.json',
];

/** What lives as long as `work` takes. */
const during = async <A>(work: (life: TestLife) => Promise<A>): Promise<A> => {
  const ends: (() => unknown)[] = [];
  try {
    return await work({ teardown: (end) => ends.push(end) });
  } finally {
    for (const end of ends.toReversed()) await end();
  }
};

/** The processor time of all processes of a browser so far, in seconds. */
const processorTime = async (browser: Browser): Promise<number> => {
  const devTools = await browser.newBrowserCDPSession();
  const { processInfo } = await devTools.send('SystemInfo.getProcessInfo');
  await devTools.detach();
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime, 0);
};

const newPage = async (browser: Browser): Promise<Page> => {
  const page = await browser.newPage();
  page.setDefaultTimeout(0);
  return page;
};

/** How much a browser works from its first request to a folder until nothing moves any more, in seconds. */
const firstVisit = (folder: string): Promise<number> =>
  during(async (life) => {
    const { origin } = await staticHost(life, folder);
    const browser = await launch(life);
    const page = await newPage(browser);
    await pause(2000);
    const before = await processorTime(browser);
    await page.goto(origin);
    await page.locator('h1').waitFor();
    await pause(2000);
    return (await processorTime(browser)) - before;
  });

/** The milliseconds from the start of the worker's event to the end of the body, by page. */
const answerTimes = (folder: string, rounds: number): Promise<ReadonlyMap<string, number>> =>
  during(async (life) => {
    const { origin } = await staticHost(life, folder);
    const page = await newPage(await launch(life));
    await logInTo(page, `${origin}/`, 'Dana Whitfield');
    const medians = new Map<string, number>();
    for (const path of pages) {
      const times: number[] = [];
      for (let i = 0; i < rounds; i += 1) {
        await page.goto(`${origin}/${path}`);
        times.push(
          await page.evaluate<number>(
            'performance.getEntriesByType("navigation").map((e) => e.responseEnd - e.workerStart)[0]',
          ),
        );
      }
      medians.set(path, median(times));
    }
    return medians;
  });

/** A demo in Chromium, against a service worker that answers one line. */
export const demo = async ({ directory, rounds, print }: Context): Promise<Report> => {
  const [ours, trivial] = [join(directory, 'demo'), join(directory, 'trivial')];
  await promisify(execFile)(process.execPath, [triageApi(), 'demo', ours]);
  await mkdir(trivial);
  for (const name of ['index.html', '404.html']) await copyFile(join(ours, name), join(trivial, name));
  await writeFile(join(trivial, 'triage-api-worker.js'), trivialWorker);
  const ratios: number[] = [];
  for (let i = 0; i < rounds; i += 1) {
    const [own, other] = [await firstVisit(ours), await firstVisit(trivial)];
    print(`first visit: ${own.toFixed(2)} s of processor time, trivial worker ${other.toFixed(2)} s`);
    ratios.push(own / other);
  }
  const times = await answerTimes(ours, rounds);
  for (const [path, time] of times) print(`/${path}: ${time.toFixed(1)} ms`);
  return {
    results: [
      {
        measure: 'first visit to a demo, processor time of the browser',
        comparedWith: 'trivial service worker',
        ...medianAndRange(ratios),
        atMost: 3,
      },
      {
        measure: 'the slowest page of a demo, from the event to the end of the body',
        value: Math.max(...times.values()),
        unit: 'ms',
        atMost: 50,
      },
    ],
  };
};
