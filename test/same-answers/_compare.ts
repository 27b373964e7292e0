import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { headerOf, type Received, type Reply } from './_exchange.js';

/** One thing in which two answers differ. `isNote`: it is told, but it is no difference. */
export type Difference = Readonly<{ what: string; old: string; new: string; isNote?: boolean }>;

/** Compares what two servers answer to the same request. */
export type Compare = (old: Reply, next: Reply) => readonly Difference[];

/**
 * Values that are drawn at random: ids of requests, session values and tokens, ids of rows, hashes, a part of
 * the address of a tenant on demand, and the version of the data in a process.
 */
const random = new RegExp(
  [
    '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}',
    '(?<![\\w-])[0-9a-f]{64}(?![\\w-])',
    '(?<![\\w-])(?:triage_)?[\\w-]{43}(?![\\w-])',
    '(?<![\\w-])(?:usr|ses|tok|repo|scan|fix|pr)_[\\w-]{12}(?:_\\d+)?(?![\\w-])',
    // The list of tokens shows how each begins.
    'triage_[\\w-]{4}(?=\xe2\x80\xa6|")',
    '(?<=-)[0-9a-f]{16}(?=@)',
    '(?<=")[\\w-]{8}(?=-\\d+(?:-\\d+)?")',
  ].join('|'),
  'g',
);

const anHour = 3_600_000;

/** What tells the time of the machine, or how long something took. */
const unsteady = (text: string): string =>
  text
    .replace(/"milliseconds":[\d.]+/g, '"milliseconds":<n>')
    .replace(/(?<=try again in )\d+ \w+/g, '<time>')
    .replace(/\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z/g, (moment) =>
      Math.abs(Date.parse(moment) - Date.now()) < anHour ? '<now>' : moment,
    );

/**
 * Compares with a memory: a random value of the old server stands for one value of the new one in all
 * answers. So a session that becomes another one is noticed, although nobody knows its value beforehand.
 */
export const comparer = (): Compare => {
  const newOf = new Map<string, string>();
  const oldOf = new Map<string, string>();
  const isPair = (old: string, next: string): boolean => {
    if (old === next) return true;
    if (!newOf.has(old) && !oldOf.has(next)) {
      newOf.set(old, next);
      oldOf.set(next, old);
    }
    return newOf.get(old) === next;
  };

  /** The two texts, the same if they differ in nothing but random values. */
  const aligned = (old: string, next: string): readonly [string, string] => {
    if (old === next) return [old, next];
    const news = [...next.matchAll(random)].map(([value]) => value);
    const olds = [...old.matchAll(random)].map(([value]) => value);
    if (news.length !== olds.length) return [old, next];
    const names = olds.map((value, i) => (isPair(value, news[i] ?? '') ? value : null));
    let i = -1;
    const masked = next.replace(random, (value) => names[++i] ?? value);
    return [unsteady(old), unsteady(masked)];
  };

  const responses = (old: Received, next: Received): readonly Difference[] => {
    const differences: Difference[] = [];
    const note = (what: string, a: string, b: string): void => {
      if (a !== b) differences.push({ what, old: a, new: b });
    };
    note('status line', old.statusLine, next.statusLine);
    note('whether a response is whole', String(old.isWhole), String(next.isWhole));
    const [oldBody, newBody] = [plainBody(old), plainBody(next)];
    const [oldText, newText] = aligned(oldBody, newBody);
    // Where a response is cut off depends on the network.
    if (old.isWhole && next.isWhole) note('body', ...excerpts(oldText, newText));
    const isSameText = oldText === newText;
    const names = (each: Received): readonly string[] => each.headers.map(([name]) => name);
    const sorted = (each: Received): string => names(each).join().toLowerCase().split(',').sort().join(', ');
    if (sorted(old) === sorted(next)) note('order or case of headers', names(old).join(), names(next).join());
    for (const name of new Set(`${sorted(old)}, ${sorted(next)}`.split(', '))) {
      const [a, b] = [valuesOf(old, name), valuesOf(next, name)];
      // An ETag is compared as it is, unless it follows random values of the body. A 304 repeats one.
      const isOfRandom = newOf.get(a) === b || (isSameText && oldBody !== newBody && isPair(a, b));
      const [x, y] = name !== 'etag' ? aligned(a, b) : isOfRandom ? [a, a] : [a, b];
      const isOtherLength =
        name === 'content-length' && isSameText && (old.body.length !== next.body.length || isMetrics(old));
      if (!isOtherLength) note(`header ${name}`, x, y);
      else if (headerOf(old, 'content-encoding') !== '') {
        differences.push({ what: 'compressed size', old: a, new: b, isNote: true });
      }
    }
    return differences;
  };

  return (old, next) => {
    const statuses = ({ received }: Reply): string => received.map(({ statusLine }) => statusLine).join();
    const isSameNumber = old.received.length === next.received.length;
    const inResponses = old.received.flatMap((each, i) => {
      const other = next.received[i];
      return other === undefined ? [] : responses(each, other);
    });
    const rest = ({ rest }: Reply): string => rest.toString('latin1');
    const others = [
      {
        what: 'number of responses',
        old: isSameNumber ? '' : statuses(old),
        new: isSameNumber ? '' : statuses(next),
      },
      { what: 'connection afterwards', old: old.afterwards, new: next.afterwards },
      { what: 'bytes after the responses', old: rest(old), new: rest(next) },
    ];
    return [...inResponses, ...others.filter((each) => each.old !== each.new)];
  };
};

/** All values of a header. The time of the machine is left out of them. */
const valuesOf = (response: Received, wanted: string): string => {
  const values = response.headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value);
  const text = values.join('\n');
  if (wanted === 'date') return text.replace(/^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/, '<date>');
  if (wanted === 'retry-after' && / 429 /.test(response.statusLine))
    return text.replace(/^[1-9]\d*$/, '<seconds>');
  const sentAt = Date.parse(headerOf(response, 'date'));
  return text.replace(
    /(?<=; expires=)(?!Thu, 01 Jan 1970)[^;]+/g,
    (moment) => `<${Math.round((Date.parse(moment) - sentAt) / 60_000)} minutes later>`,
  );
};

const isMetrics = (response: Received): boolean =>
  headerOf(response, 'content-type').includes('version=0.0.4');

/** The body without its compression. Of metrics, only what there is, not the numbers. */
const plainBody = (response: Received): string => {
  const bytes = response.isWhole ? decompressed(response) : response.body;
  const text = bytes.toString('latin1');
  return isMetrics(response) ? [...text.matchAll(/^# .*/gm)].join('\n') : text;
};

const decoders: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  deflate: inflateSync,
};

const decompressed = (response: Received): Buffer => {
  const decode = decoders[headerOf(response, 'content-encoding')];
  if (response.body.length === 0 || decode === undefined) return response.body;
  try {
    return decode(response.body);
  } catch (error) {
    return Buffer.concat([Buffer.from(`(not decompressed: ${error}) `), response.body]);
  }
};

/** Where two texts begin to differ; empty if they do not. */
const excerpts = (old: string, next: string): readonly [string, string] => {
  if (old === next) return ['', ''];
  let at = 0;
  while (old[at] === next[at]) at += 1;
  const start = Math.max(0, at - 40);
  const around = (text: string): string =>
    `${Buffer.from(text.slice(start, at + 60), 'latin1')} (of ${text.length} bytes, from ${at})`;
  return [around(old), around(next)];
};
