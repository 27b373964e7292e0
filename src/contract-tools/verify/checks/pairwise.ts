import { canonicalJson } from '../../../common/json.js';
import { coveringSet } from '../covering-set.js';
import type { Row } from '../json-rows.js';
import type { QueryValues } from '../requests.js';
import type { Expectation } from './expected-pages.js';
import type { Factors } from './list-rules.js';
import { product } from './parameter-values.js';

const omit = (query: QueryValues, omitted: string): QueryValues =>
  Object.fromEntries(Object.entries(query).filter(([name]) => name !== omitted));

/** A number for each row, the same for rows that are equal. */
const rowNumbers = (): ((row: Row) => number) => {
  const ofRow = new Map<Row, number>();
  const ofText = new Map<string, number>();
  return (row) => {
    const known = ofRow.get(row);
    if (known !== undefined) return known;
    const text = canonicalJson(row);
    const number = ofText.get(text) ?? ofText.size;
    ofText.set(text, number);
    ofRow.set(row, number);
    return number;
  };
};

/**
 * Requests in which every two values of two parameters occur together, absence being a value, too. Each of
 * the two has to have an effect that shows in the rows: without it, a mistake would go unnoticed.
 */
export const pairwise = (factors: Factors, expected: Expectation): readonly QueryValues[] => {
  const names = Object.keys(factors);
  const texts = new Map<string, string | null>();
  const numberOf = rowNumbers();
  /** Which rows a request should return, as text; null if that is not known. */
  const textOf = (query: QueryValues): string | null => {
    const key = names.map((name) => query[name] ?? '').join('&');
    const known = texts.get(key);
    if (known !== undefined) return known;
    const found = expected(query);
    const text = found === null ? null : `${found.totalItems}: ${found.items.map(numberOf).join()}`;
    texts.set(key, text);
    return text;
  };
  const goalsOf = (query: QueryValues): readonly string[] => {
    const text = textOf(query);
    if (text === null) return [];
    const shown = names.filter((name) => !(name in query) || textOf(omit(query, name)) !== text);
    return shown.flatMap((one, index) =>
      shown.slice(index + 1).map((other) => `${one}=${query[one]}&${other}=${query[other]}`),
    );
  };
  return coveringSet(product(factors), goalsOf);
};
