import type * as t from 'io-ts';
import { readCredentials } from '../../api/credentials.js';
import { parseJson, valueAt } from '../../common/json.js';
import { onceFor } from '../../common/lru.js';
import { type AnyOperation, type CredentialKind, operations } from '../../contract/operations.js';
import type { CredentialStates } from '../../fixtures/fixture-credentials.js';
import type { Exchange } from '../exchange.js';
import type { NewFaultRule } from '../fault-rules.js';
import { propsOf } from './cases.js';
import type { Amounts, Rows } from './rows.js';

export type OperationId = keyof typeof operations;

/** How a state is made, as JSON: `POST /__admin/tenants` takes it. */
export type StateRecipe = Readonly<{
  amounts?: Amounts;
  /** One unusual row, and the rows that it belongs to. */
  patch?: Rows;
  rules?: readonly Partial<NewFaultRule>[];
  credentials?: CredentialStates;
  /** What the client has to do itself. */
  client?: Readonly<{
    /** The parameters of its requests, in their order. Left out: one request without any. */
    asks?: readonly Readonly<Record<string, string>>[];
    /** Which credentials they have. Left out: the session. */
    signIn?: 'token' | 'none';
  }>;
}>;

/** Something that the API can put a page into. */
export type State = Readonly<{
  id: string;
  sentence: string;
  group: 'values' | 'texts' | 'amounts' | 'time' | 'failures' | 'credentials' | 'changes';
  /** The operations whose responses show it. */
  operations: readonly OperationId[];
  /** The field that it is about, such as `lastScan.status`; null: it is about no field. */
  place: string | null;
  /** The section of the contract; null: the contract does not mention it. */
  section: string | null;
  /** Whether the contract allows it. */
  keepsContract: boolean;
  /** What a page has to show. `waiting`: that it still loads. */
  expects: 'data' | 'empty' | 'error' | 'sign-in' | 'waiting' | 'data-or-error';
  make: StateRecipe;
  /** Whether an exchange shows it, after earlier ones, the oldest first. */
  seen: (exchange: Exchange, earlier: readonly Exchange[]) => boolean;
  /** States in which a page shows something else. */
  notLike?: readonly string[];
  /** The state in which a page shows the same. */
  sameAs?: string;
}>;

/** An exchange as predicates look at it. */
export type View = ReturnType<typeof viewOf>;

/** Reads an exchange once, whoever looks at it. */
export const viewOf = onceFor(({ request, status, headers, body, end, simulated }: Exchange) => {
  const { sessionValue, bearerToken } = readCredentials(request.headers, ['session', 'bearer']);
  const sent: readonly CredentialKind[] = [
    ...(sessionValue === null ? [] : (['session'] as const)),
    ...(bearerToken === null ? [] : (['bearer'] as const)),
  ];
  const query = Object.fromEntries(new URLSearchParams(request.url.split('?')[1]));
  const view = {
    query,
    sent: sent.join(),
    status,
    headers,
    text: body,
    body: parseJson(body),
    end,
    simulated,
  };
  // Several states are about one field, whose values are looked up once.
  const valuesAt = onceFor((path: readonly string[]) => itemsOf(view).map((row) => valueAt(row, path)));
  return { ...view, valuesAt };
});

/**
 * A state without what most have in common. `seen`: the response before is the latest one of the same
 * operation. `isBroken`: it shows in what was not sent whole.
 */
export type Draft = Pick<State, 'id' | 'sentence' | 'group' | 'operations' | 'make'> &
  Partial<Omit<State, 'seen'>> &
  Readonly<{ seen: (view: View, before: View | undefined) => boolean; isBroken?: boolean }>;

/** Makes drafts with names below another one, and with what they have in common. */
export const draftsFor =
  (prefix: string, common: Pick<Draft, 'group' | 'operations'> & Partial<Draft>) =>
  (
    id: string,
    sentence: string,
    make: StateRecipe,
    seen: Draft['seen'],
    more: Partial<Draft> = {},
  ): Draft => ({
    ...common,
    ...{ id: `${prefix}.${id}`, sentence, make, seen },
    ...more,
  });

/** What the resources are called, what the collections of their rows are, and where the contract has them. */
const resources = {
  repos: {
    noun: 'repository',
    plural: 'repositories',
    rows: 'repos',
    orderedBy: 'lastScanAt',
    section: '2.1',
  },
  findings: {
    noun: 'finding',
    plural: 'findings',
    rows: 'findings',
    orderedBy: 'discoveredAt',
    section: '2.2',
  },
  prs: {
    noun: 'pull request',
    plural: 'pull requests',
    rows: 'pullRequests',
    orderedBy: 'createdAt',
    section: '2.3',
  },
} as const;

/** The resource of an operation, by the name that it has in paths. */
export const resourceOf = ({ path }: Pick<AnyOperation, 'path'>) => {
  const name = path.split('/')[3];
  if (name === 'repos' || name === 'prs') return { name, ...resources[name] };
  return { name: 'findings', ...resources.findings } as const;
};

export const isOperationId = (id: string): id is OperationId => Object.hasOwn(operations, id);

/** The fields of the rows that an operation answers with. */
export const rowProps = ({ responses }: AnyOperation): Readonly<Record<string, t.Mixed>> => {
  const body = propsOf(responses[200]);
  return body.items === undefined ? body : propsOf(body.items);
};

/** The rows in a body: its items, those of a list, or the body itself. */
export const itemsOf = ({
  status,
  body,
}: Pick<Exchange, 'status'> & Readonly<{ body: unknown }>): readonly unknown[] => {
  if (status !== 200 || body === undefined) return [];
  const items = Array.isArray(body) ? body : valueAt(body, ['items']);
  return Array.isArray(items) ? items : [body];
};
