import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { openApiDocument } from '../../src/openapi/document.js';
import { Example, readExamples } from '../../src/openapi/examples.js';

/** Our OpenAPI document as text, where the only example of a page of findings is this one. */
export const documentWith = (body: string): string => {
  const examples = readExamples();
  const { listFindings = {} } = examples.operations;
  const example = Example.decode({ ...listFindings[200]?.[0], body: JSON.parse(body) });
  if (E.isLeft(example)) throw new Error('listFindings has no example');
  const changed = { ...listFindings, 200: [example.right] };
  return JSON.stringify(
    openApiDocument({ ...examples, operations: { ...examples.operations, listFindings: changed } }),
  );
};

const Page = t.type({ items: t.readonlyArray(t.UnknownRecord) });

/** A database for json-server as text: the rows of a page, repeated under new ids until there are so many. */
export const databaseOf = (body: string, rows: number): string => {
  const page = Page.decode(JSON.parse(body));
  if (E.isLeft(page)) throw new Error('the page of the benchmark has no items');
  const { items } = page.right;
  return JSON.stringify({
    findings: Array.from({ length: rows }, (_, i) => {
      const item = items[i % items.length];
      return i < items.length ? item : { ...item, id: `${item?.id}-${i}` };
    }),
  });
};
