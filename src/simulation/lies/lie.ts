import * as t from 'io-ts';
import type { HeaderChanges } from '../../api/response.js';
import { PageInfo } from '../../contract/page-and-limit.js';
import type { OperationId } from '../states/state.js';

/** An answer as a lie takes and gives it. `html`: what is sent in place of JSON. */
export type PlainAnswer = Readonly<{ status: number; headers: HeaderChanges; body: unknown; html?: string }>;

/** What else a lie may depend on. */
export type LieContext = Readonly<{
  query: URLSearchParams;
  /** The id in the path. */
  id: string | undefined;
  /** Whether the request has a bearer token, and no session. */
  isByToken: boolean;
  /** The right body for the same request with other parameters; null leaves one out. */
  ask: (parameters: Readonly<Record<string, string | null>>) => Promise<unknown>;
  /** What an operation has sent last to each other tenant. */
  toOthers: (operation: OperationId) => readonly unknown[];
}>;

/** The gravest first. */
export const lieGravities = ['leak', 'credentials', 'data', 'shape'] as const;

/** A way in which an answer is wrong. Whoever tests a client should have a test that notices. */
export type Lie = Readonly<{
  id: string;
  /** What was wrong, in the past tense. */
  sentence: string;
  /** The section of the contract. */
  section: string;
  gravity: (typeof lieGravities)[number];
  operation: OperationId;
  status: number;
  /** What exchanges lack that have this status, and cannot show the lie. */
  needs: string;
  /** The answer that tells it; null: this exchange cannot. */
  change: (answer: PlainAnswer, context: LieContext) => PlainAnswer | null | Promise<PlainAnswer | null>;
  /**
   * Whether the contract, or another answer, shows the lie to who does not know the data. If not, `verify`
   * cannot find it.
   */
  isContradicted: boolean;
}>;

/** A lie in words: the last part of its id, the section, what it needs, and what was wrong. */
export type LieText = `${string} (${string}; ${string}): ${string}`;

/** A lie about an operation: about a 200, and data, unless it says more. */
export const lieOf = (
  operation: OperationId,
  text: LieText,
  change: Lie['change'],
  more: Partial<Lie> = {},
): Lie => {
  const [name = '', section = '', needs = '', sentence = ''] = text.split(/ \((.*?); (.*?)\): (.*)/);
  const id = `${operation}.${name}`;
  const usual = { gravity: 'data', status: 200, isContradicted: true } as const;
  return { id, sentence, section, operation, needs, change, ...usual, ...more };
};

export type Row = Readonly<Record<string, unknown>>;

export const isRow = (u: unknown): u is Row => t.UnknownRecord.is(u);

/** A page of a list, with what was added to its envelope. */
export const Page = t.intersection([t.type({ items: t.array(t.UnknownRecord) }), PageInfo.type]);
export type Page = Readonly<t.TypeOf<typeof Page>>;

/** The rows in a body: those of a list or of a page, or the body itself. */
export const rowsIn = (body: unknown): readonly Row[] =>
  (Array.isArray(body) ? body : Page.is(body) ? body.items : [body]).filter(isRow);

/** A lie that gives an answer other rows. */
export const changeRows =
  (change: (rows: readonly Row[], context: LieContext) => readonly unknown[]): Lie['change'] =>
  (answer, context) => {
    const { body } = answer;
    const rows = change(rowsIn(body), context);
    return {
      ...answer,
      body: Array.isArray(body) ? rows : Page.is(body) ? { ...body, items: rows } : rows[0],
    };
  };
