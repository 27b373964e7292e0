import type * as t from 'io-ts';
import { Closed } from '../vocabulary/closed.js';
import { nullable } from '../vocabulary/nullable.js';
import { Integer } from '../vocabulary/numbers.js';
import { Identifier, Text } from '../vocabulary/text.js';
import { Timestamp } from '../vocabulary/timestamp.js';

/** One scan of a repository. `status` is free-form; `error` is null when the scan had none. */
export const ScanRecord = new Closed(
  {
    id: Identifier,
    repoId: Identifier,
    startedAt: Timestamp,
    finishedAt: Timestamp,
    status: Text,
    findingsSeen: Integer,
    draftsOpened: Integer,
    error: nullable(Text),
  },
  'scan',
);
export type ScanRecord = t.TypeOf<typeof ScanRecord>;
