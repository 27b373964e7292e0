import { type ApiRequest, operationNameOf, pathWithQuery, type RequestHeaders } from '../api/request.js';
import type { Outcome, SendingEnd, Sent } from '../api/response.js';
import type { ServiceParts } from '../api/service.js';
import { journalObserver } from './journal.js';
import type { SimulationSettings } from './simulation-layers.js';

/** A request and what was sent for it, secrets included. */
export type Exchange = Readonly<{
  /** `url`: the path and the query, below the base path. Names of headers are in lower case. */
  request: Readonly<{ method: string; url: string; headers: RequestHeaders }>;
  /** The id of the operation, or the method and the path of another route. */
  operation: string;
  /** The id of the user on whose behalf it acted; null: of nobody. */
  tenant: string | null;
  /** What was simulated, and by which rule; null: nothing. */
  simulated: string | null;
  /** Null: no response was sent. */
  status: number | null;
  headers: Readonly<Record<string, string>>;
  /** As much of the body as was sent. */
  body: string;
  /**
   * Whether all was written, the connection was cut in the middle of the body or dropped before it, the
   * response was held until the service gave up, or the client had gone.
   */
  end: 'written' | 'cut' | 'dropped' | 'held' | 'gone';
}>;

/** How it ends where there is no response. */
const endWithout = { Cut: 'dropped', Held: 'held', Gone: 'gone' } as const;

type Sender = Pick<ApiRequest, 'method' | 'path' | 'querystring' | 'headers' | 'notes'>;

const exchangeOf = (request: Sender, outcome: Outcome<Sent>, end: SendingEnd, length: number): Exchange => {
  const { method, headers, notes } = request;
  const { status = null, head = [], content, plain } = typeof outcome === 'string' ? {} : outcome;
  const names = head.filter((_, i) => i % 2 === 0);
  return {
    request: { method, url: pathWithQuery(request), headers },
    operation: operationNameOf(request),
    tenant: notes.tenantId ?? null,
    simulated: notes.simulated ?? null,
    status,
    headers: Object.fromEntries(names.map((name, i) => [name.toLowerCase(), head[2 * i + 1] ?? ''])),
    // Of a compressed body, so much of its text as was sent of it.
    body: new TextDecoder().decode(
      plain?.subarray(0, (plain.length * length) / (content?.length || 1)) ?? content?.subarray(0, length),
    ),
    end: typeof outcome === 'string' ? endWithout[outcome] : end,
  };
};

/** What observes requests for the journal, and tells of exchanges whoever wants to know. */
export const observers = (
  {
    simulation = null,
    onExchange = null,
    ...clocks
  }: SimulationSettings & Parameters<typeof journalObserver>[1],
  site: Parameters<typeof journalObserver>[2],
): Pick<ServiceParts, 'observe' | 'onEnd'> =>
  simulation === null
    ? {}
    : {
        observe: journalObserver(simulation.journal, clocks, site),
        onEnd: ({ method, path, querystring, headers, notes }, outcome, ...end) => {
          // Not the request itself, which would keep its connection in memory.
          const make = () => exchangeOf({ method, path, querystring, headers, notes }, outcome, ...end);
          if (notes.number !== undefined) simulation.journal.keepExchange(notes.number, make);
          onExchange?.(make());
        },
      };
