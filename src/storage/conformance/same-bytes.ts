import { AssertionError } from 'node:assert/strict';
import { inspect } from 'node:util';
import { hashSecret } from '../../accounts/sessions-and-tokens.js';
import { answerFetch } from '../../http/operations/answer-fetch.js';
import type { Dataset } from '../../records/dataset.js';
import { createSimulation } from '../../simulation/simulation.js';
import { fixtureStorage } from '../memory/fixture-storage.js';
import { memoryStateStore } from '../memory/state-store.js';
import { observedStorage } from '../observed-storage.js';
import type { Storage } from '../port.js';
import { hashCheaply } from './new-records.js';
import { at, now } from './sample-rows.js';

/** The number of requests that are sent at the same time, so that a remote storage takes less time. */
const inFlight = 4;

/**
 * Answers the same requests over a storage and over the fixture adapter with the same tenants, and asserts
 * that status and bytes are equal. The bodies are those that a server would send.
 */
export const assertSameBytes = async (
  storage: Storage,
  datasets: readonly Dataset[],
  session: string,
  paths: readonly string[],
): Promise<void> => {
  const [candidate, reference] = [apiOver(storage), apiOver(referenceStorage(datasets))];
  const compare = async (path: string): Promise<void> => {
    const [actual, expected] = [await candidate.get(path, session), await reference.get(path, session)];
    const difference = differenceOf(actual, expected);
    if (difference === null) return;
    const reasons = candidate.errors.slice(0, 2).map((error) => `\nreason: ${error}`);
    throw new AssertionError({
      message: `GET ${cut(path, 300)} as ${session}\n${difference}${reasons.join('')}`,
      actual: parsed(actual.text),
      expected: parsed(expected.text),
    });
  };
  for (let i = 0; i < paths.length; i += inFlight) {
    const results = await Promise.allSettled(paths.slice(i, i + inFlight).map(compare));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
};

/** The fixture adapter, whose responses every other storage must reproduce byte for byte. */
const referenceStorage = (datasets: readonly Dataset[]): Storage => {
  const [clock, stateStore] = [() => at(now), memoryStateStore()];
  const settings = {
    clock,
    log: () => {},
    stateStore,
    maxSignUps: 100,
    hashSecret,
    hashPassword: hashCheaply,
  };
  return fixtureStorage(settings, datasets).storage;
};

type Answered = Readonly<{ status: number; text: string }>;

/** The API over a storage, with the clock standing at `now`. `errors`: why responses have status 5xx. */
const apiOver = (storage: Storage) => {
  const errors: string[] = [];
  const log = (level: string, event: string, details: unknown): void => {
    if (level === 'error' || level === 'warn') errors.push(`${event} ${inspect(details, { depth: 6 })}`);
  };
  const observed = observedStorage(storage, (call) => (failure) => {
    if (failure !== null) errors.push(`${call} failed with ${inspect(failure, { depth: 6 })}`);
  });
  const respond = answerFetch({
    storage: observed,
    clock: () => at(now),
    elapsed: () => 0,
    log,
    strict: false,
    delay: () => 0,
    simulation: createSimulation({}),
    live: null,
    rateLimit: null,
    onRequest: () => {},
  });
  const door = { basePath: '', sessionFor: () => null, cutsBodies: false };
  return {
    errors,
    get: async (path: string, session: string): Promise<Answered> => {
      const headers = { Cookie: `session=${session}` };
      const answer = await respond(new Request(`http://api.test${path}`, { headers }), door);
      if (typeof answer === 'string') throw new Error(answer);
      return { status: answer.status, text: await answer.text() };
    },
  };
};

/** Longer texts, and more items, are cut in reports. */
const [maxText, maxItems] = [80, 12];

/** How a response differs from the expected one, in a few lines; null if not at all. */
export const differenceOf = (actual: Answered, expected: Answered): string | null => {
  if (actual.status !== expected.status)
    return `status ${actual.status} instead of ${expected.status}: ${cut(actual.text)}`;
  if (actual.text === expected.text) return null;
  const [got, wanted] = [parsed(actual.text), parsed(expected.text)];
  const found = firstDifference(got, wanted, '');
  if (found === null)
    return `the same values in other bytes: ${aroundDifference(actual.text, expected.text)}`;
  const [ids, wantedIds] = [idsOf(got), idsOf(wanted)];
  return [
    `first difference: ${found.path === '' ? 'the body' : found.path}`,
    `  expected ${cut(inAscii(found.wanted), 4 * maxText)}`,
    `  got      ${cut(inAscii(found.got), 4 * maxText)}`,
    // An order, or rows that are missing, are seen at a glance.
    ...(ids === wantedIds ? [] : [`ids expected ${wantedIds}`, `ids got      ${ids}`]),
  ].join('\n');
};

/** The value of a JSON text with long texts cut; the text itself if it is none. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? cut(value) : value));
  } catch {
    return cut(text);
  }
};

type Difference = Readonly<{ path: string; got: unknown; wanted: unknown }>;

const firstDifference = (got: unknown, wanted: unknown, path: string): Difference | null => {
  if (Object.is(got, wanted)) return null;
  if (!isContainer(got) || !isContainer(wanted) || Array.isArray(got) !== Array.isArray(wanted))
    return { path, got, wanted };
  if (Array.isArray(got) && Array.isArray(wanted) && got.length !== wanted.length)
    return { path: `length of ${path === '' ? 'the list' : path}`, got: got.length, wanted: wanted.length };
  for (const key of new Set([...Object.keys(wanted), ...Object.keys(got)])) {
    const found = firstDifference(got[key], wanted[key], `${path}/${key}`);
    if (found !== null) return found;
  }
  return null;
};

const isContainer = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const idsOf = (body: unknown): string => {
  const items: unknown = isContainer(body) && !Array.isArray(body) ? body.items : body;
  if (!Array.isArray(items)) return 'none';
  const ids = items.slice(0, maxItems).map((item: unknown) => {
    const id = isContainer(item) ? item.id : item;
    return inAscii(typeof id === 'string' && id.length > 24 ? `${id.slice(0, 10)}…` : id);
  });
  return `[${ids.join(', ')}${items.length > maxItems ? `, … ${items.length} in all` : ''}]`;
};

const aroundDifference = (got: string, wanted: string): string => {
  let i = 0;
  while (i < got.length && got[i] === wanted[i]) i += 1;
  const from = Math.max(0, i - 20);
  return `expected …${wanted.slice(from, i + 40)}…, got …${got.slice(from, i + 40)}…`;
};

const cut = (text: string, max = maxText): string =>
  text.length > max ? `${text.slice(0, max)}… (${text.length} characters)` : text;

/** JSON, of the named fields only, that tells characters apart which look alike, such as both forms of é. */
export const inAscii = (value: unknown, fields?: string[]): string =>
  (JSON.stringify(value, fields) ?? 'nothing').replace(
    /[^\x20-\x7e]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
