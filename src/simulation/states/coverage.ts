import { operations } from '../../contract/operations.js';
import type { Exchange } from '../exchange.js';
import { type State, seenIn, statesOf } from './index.js';

/** What distinguishes an answer from others: the bytes of most have an `ETag`. */
const keyOf = ({
  request: { url, headers },
  status,
  headers: sent,
  body,
  end,
  simulated,
}: Exchange): string => {
  const credentials = `${headers.cookie !== undefined} ${headers.authorization !== undefined}`;
  const content = sent.etag ?? (status === 200 ? body : `${sent['content-type']} ${sent['retry-after']}`);
  return [url, credentials, status, end, simulated, sent['x-triage-warning'], content].join('\n');
};

/** So many pairs of answers that were looked at are remembered, of each operation. */
const maxKnown = 5000;

/** Finds the states that exchanges of an operation are the first to show. */
const operationCoverage = (operation: (typeof operations)[keyof typeof operations]) => {
  const { add } = seenIn(statesOf({ operations: [operation] }));
  let known = new Set<string>();
  return (exchange: Exchange, before: Exchange | undefined): readonly string[] => {
    // What an answer shows depends on it and on the one before: the same two show nothing new.
    const pair = [exchange, ...(before === undefined ? [] : [before])].map(keyOf).join('\n\n');
    if (known.has(pair)) return [];
    known = known.size < maxKnown ? known.add(pair) : new Set([pair]);
    return add(exchange, before === undefined ? [] : [before]);
  };
};

/**
 * Notes which states exchanges show: a line with the operation and the state, the first time. Returns what
 * makes an observer for each server: its exchanges follow each other.
 */
export const recordCoverage = (write: (lines: string) => void) => {
  const byOperation = new Map<string, ReturnType<typeof operationCoverage>>();
  return (): ((exchange: Exchange) => void) => {
    const last = new Map<string, Exchange>();
    return (exchange) => {
      const operation = Object.values(operations).find(({ id }) => id === exchange.operation);
      if (operation === undefined) return;
      const { id } = operation;
      const look = byOperation.get(id) ?? operationCoverage(operation);
      byOperation.set(id, look);
      const lines = look(exchange, last.get(id)).map((state) => `${id} ${state}\n`);
      last.set(id, exchange);
      if (lines.length > 0) write(lines.join(''));
    };
  };
};

/** Which states of an operation have been seen, and which have not. */
type Coverage = Readonly<{ operation: string; seen: readonly State[]; unseen: readonly State[] }>;

/** What the lines of a run amount to, for each operation that has any. */
export const coverageOf = (lines: readonly string[]): readonly Coverage[] => {
  const known = new Set(lines);
  return Object.values(operations).flatMap((operation) => {
    const states = statesOf({ operations: [operation] });
    const isSeen = ({ id }: State): boolean => known.has(`${operation.id} ${id}`);
    const seen = states.filter(isSeen);
    const unseen = states.filter((state) => !isSeen(state));
    return seen.length === 0 ? [] : [{ operation: operation.id, seen, unseen }];
  });
};
