import { requestsPerSecond } from './load.js';
import { median } from './median.js';
import type { ProcessorTime } from './processor-time.js';

/** One of the two servers. */
export type Side = Readonly<{ url: string; time: ProcessorTime }>;

export type PairedLoad = Readonly<{
  cookie: string;
  /** The path of the next request. */
  path: () => string;
  pairs: number;
  seconds: number;
  connections: number;
  database: ProcessorTime;
}>;

/** Requests per second, and milliseconds of processor time per request; NaN where they are unknown. */
type Measurement = Readonly<{ rate: number; node: number; database: number }>;

/** How many bodies are compared before the measurement: of random pages, each is another one. */
const comparedPages = 10;

/**
 * Measures two servers in turns under the same load, and gives lines that compare them. Throws if they do not
 * send the same bytes.
 */
export const comparison = async (load: PairedLoad, ours: Side, theirs: Side): Promise<readonly string[]> => {
  for (let i = 0; i < comparedPages; i += 1) await assertSameBytes(load, ours, theirs);
  // Until the functions are compiled and the statements are prepared.
  for (const { url } of [ours, theirs])
    await requestsPerSecond({ ...load, url }, load.connections, load.seconds);
  const pairs: (readonly [Measurement, Measurement])[] = [];
  for (let i = 0; i < load.pairs; i += 1)
    pairs.push([await measure(load, ours), await measure(load, theirs)]);
  await assertSameBytes(load, ours, theirs);

  const ratios = pairs.map(([our, their]) => our.rate / their.rate);
  const both = (of: (measurement: Measurement) => number, digits: number): string =>
    [pairs.map(([our]) => of(our)), pairs.map(([, their]) => of(their))]
      .map((values) => median(values).toFixed(digits))
      .join(' and ');
  const each = ratios.map((ratio) => ratio.toFixed(2));
  const [node, database] = [both((of) => of.node, 2), both((of) => of.database, 2)];
  return [
    `× ${median(ratios).toFixed(2)} of the hand-written server (${each.join(' ')})`,
    `requests per second: ${both(({ rate }) => rate, 0)}`,
    `processor time per request: Node ${node} ms, PostgreSQL ${database} ms`,
  ];
};

const measure = async (load: PairedLoad, { url, time }: Side): Promise<Measurement> => {
  const read = async () => ({ node: await time(), database: await load.database() });
  const before = await read();
  const rate = await requestsPerSecond({ ...load, url }, load.connections, load.seconds);
  const after = await read();
  const perRequest = (from: number | null, to: number | null): number =>
    from === null || to === null ? Number.NaN : (to - from) / (rate * load.seconds);
  return {
    rate,
    node: perRequest(before.node, after.node),
    database: perRequest(before.database, after.database),
  };
};

/** A row that a writer changes between the two requests makes a difference, so this is tried a few times. */
const assertSameBytes = async ({ path, cookie }: PairedLoad, ours: Side, theirs: Side): Promise<void> => {
  const requested = path();
  const bytes = async (url: string): Promise<string> => {
    const response = await fetch(`${url}${requested}`, { headers: { cookie } });
    const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
    if (response.status !== 200) throw new Error(`${url}${requested}: ${response.status} ${body}`);
    return body;
  };
  for (let attempt = 1; ; attempt += 1) {
    const [our, their] = [await bytes(ours.url), await bytes(theirs.url)];
    if (our === their) return;
    if (attempt === 5) throw new Error(`the bodies of ${requested} differ:\n${difference(our, their)}`);
  }
};

/** Two texts from shortly before their first difference on. */
const difference = (our: string, their: string): string => {
  const at = Array.from(our).findIndex((character, i) => character !== their[i]);
  return [our, their].map((text) => text.slice(Math.max(0, at - 100), at + 100)).join('\n');
};
