import type { FlatHeaders } from '../protocol/json-sender.js';

/** What becomes of a request. */
export type Answer =
  | Readonly<{
      _tag: 'Sent';
      status: number;
      head: FlatHeaders;
      /** Null: there is no body. */
      content: string | Uint8Array | null;
      /** Whether the connection is cut behind the content. */
      isCut: boolean;
    }>
  /** The connection is cut before anything was sent. */
  | Readonly<{ _tag: 'Cut' }>
  /** The client has given up. */
  | Readonly<{ _tag: 'Gone' }>;
