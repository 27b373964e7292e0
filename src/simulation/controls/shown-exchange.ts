import * as t from 'io-ts';
import { masked } from '../../api/request.js';
import { described } from '../../contract/codecs/combinators.js';
import { StrictObject } from '../../contract/codecs/strict-object.js';
import type { Exchange } from '../exchange.js';

const Headers = t.record(t.string, t.string);

/** What was sent for a request and by its client, without what may be a secret. */
export const JournalExchange = new StrictObject(
  {
    requestHeaders: described(Headers, 'The headers of the request.'),
    headers: described(Headers, 'The headers of the response.'),
    body: described(t.string, 'As much of the body as was sent, up to 16 kB.'),
    end: described(
      t.string,
      'How it ended: all was `written`, the connection was `cut` or `dropped`, it was `held`, or the client had `gone`.',
    ),
  },
  'JournalExchange',
);
export type JournalExchange = t.TypeOf<typeof JournalExchange>;

/** How much of a body is shown. */
const maxBody = 16_384;

const isSecret = /cookie|auth|key|token|secret|password|referer/;

/** What the controls show of an exchange. */
export const shownExchange = (exchange: Exchange | null): JournalExchange | null => {
  if (exchange === null) return null;
  const { request, headers, body, end } = exchange;
  const shown = (some: object) =>
    Object.fromEntries(
      Object.entries(some).map(([name, value]) => [name, isSecret.test(name) ? '…' : masked(String(value))]),
    );
  const part = body.length > maxBody ? `${body.slice(0, maxBody)}…` : body;
  return { requestHeaders: shown(request.headers), headers: shown(headers), body: masked(part), end };
};
