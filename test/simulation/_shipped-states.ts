import type * as t from 'io-ts';
import { parseJson, valueAt } from '../../src/common/json.js';
import { Described, Nullable, servedAsStored } from '../../src/contract/codecs/combinators.js';
import { operations } from '../../src/contract/index.js';
import { propsOf } from '../../src/simulation/states/cases.js';
import { type Exchange, type OperationId, seenIn, statesOf } from '../../src/simulation/states/index.js';
import { isOperationId, itemsOf, resourceOf, viewOf } from '../../src/simulation/states/state.js';
import { startTriageApi } from '../../src/testing/server.js';
import { exchange, type Send } from './_states.js';

const isFreeForm = (codec: t.Mixed): boolean =>
  codec instanceof Described
    ? codec.decision === servedAsStored || isFreeForm(codec.codec)
    : codec instanceof Nullable && isFreeForm(codec.codec);

/** The paths of the free-form texts of an operation's rows. */
const freeFormIn = (props: t.Props, path: readonly string[] = []): readonly (readonly string[])[] =>
  Object.entries(props).flatMap(([name, codec]) => [
    ...(isFreeForm(codec) ? [[...path, name]] : []),
    ...freeFormIn(propsOf(codec) ?? {}, [...path, name]),
  ]);

/** What each tenant of the shipped fixtures is answered: whole lists, and each finding of a page. */
const exchangesOfTenants = async (): Promise<readonly (readonly Exchange[])[]> => {
  const api = await startTriageApi();
  const send: Send = (path, init) => fetch(`${api.url}${path}`, init);
  const ask = (session: string, operation: OperationId, path: string) =>
    exchange(send, operation, path, { cookie: `session=${session}` });
  const tenants = api.tenants.map(async ({ session }) => {
    const exchanges: Exchange[] = [];
    for (const { id, path, pathParameters } of Object.values(operations)) {
      if (!isOperationId(id)) continue;
      if (Object.keys(pathParameters.type.props).length > 0) {
        const rows = exchanges
          .filter(({ operation }) => operation === 'listFindings')
          .map(viewOf)
          .flatMap(itemsOf);
        for (const row of rows.slice(0, 100))
          exchanges.push(await ask(session, id, path.replace('{id}', String(valueAt(row, ['id'])))));
        continue;
      }
      exchanges.push(await ask(session, id, path));
      const pages = Number(valueAt(parseJson(exchanges.at(-1)?.body ?? ''), ['totalPages']) ?? 0);
      for (let page = 1; page <= Math.ceil(pages / 4); page += 1)
        exchanges.push(await ask(session, id, `${path}?limit=100&page=${page}`));
    }
    return exchanges;
  });
  try {
    return await Promise.all(tenants);
  } finally {
    await api.stop();
  }
};

/** What at least two of some lists have. */
const inTwo = (lists: readonly (readonly string[])[]): readonly string[] => {
  const all = lists.flatMap((list) => Array.from(new Set(list)));
  return Array.from(new Set(all.filter((each) => all.indexOf(each) !== all.lastIndexOf(each)))).sort();
};

/** What is usual: what at least two tenants of the shipped fixtures show. */
export const usualOfTenants = async () => {
  const tenants = await exchangesOfTenants();
  const words = Object.values(operations).flatMap((operation) => {
    const body = propsOf(operation.responses[200]) ?? {};
    const props = ('items' in body && body.items !== undefined && propsOf(body.items)) || body;
    return freeFormIn(props).map((path): readonly [string, readonly string[]] => {
      const ofTenant = (exchanges: readonly Exchange[]) =>
        exchanges
          .filter((each) => each.operation === operation.id)
          .map(viewOf)
          .flatMap(itemsOf)
          .map((row) => valueAt(row, path))
          .filter((value) => typeof value === 'string' && value.trim() !== '')
          .map(String);
      return [[resourceOf(operation).name, ...path].join('.'), inTwo(tenants.map(ofTenant))];
    });
  });
  const states = inTwo(
    tenants.map((exchanges) => {
      const { add } = seenIn(statesOf());
      return exchanges.flatMap((each) => add(each));
    }),
  );
  return { words: Object.fromEntries(words), states };
};

/** The file of the source that says which words are usual. */
export const shippedFile = (words: Readonly<Record<string, readonly string[]>>): string => `/**
 * Derived by \`npm run derive\`: the values that at least two tenants of the shipped fixtures have in texts
 * for which the contract lists none.
 */
export const shippedWords: Readonly<Record<string, readonly string[]>> = ${JSON.stringify(words)};
`;
