import type * as t from 'io-ts';
import { Closed } from '../vocabulary/closed.js';
import { described } from '../vocabulary/described.js';
import { nullable } from '../vocabulary/nullable.js';
import { Integer } from '../vocabulary/numbers.js';
import { Identifier, Text } from '../vocabulary/text.js';
import { Timestamp } from '../vocabulary/timestamp.js';

/** One scan of a repository. `status` is free-form; `error` is null when the scan had none. */
export const ScanRecord = new Closed(
  {
    id: described(Identifier, 'Id of your choice, unique among scans.'),
    repoId: described(Identifier, 'Id of one of repos.'),
    startedAt: described(
      Timestamp,
      'When the scan began. The one that began last is the last scan of its repository.',
    ),
    finishedAt: described(Timestamp, 'When the scan ended.'),
    status: described(Text, 'Status of the scan: any text.'),
    findingsSeen: described(Integer, 'Number of findings that the scan saw.'),
    draftsOpened: described(Integer, 'Number of fix drafts that the scan opened.'),
    error: described(nullable(Text), 'What went wrong; null when nothing did.'),
  },
  'scan',
);
export type ScanRecord = t.TypeOf<typeof ScanRecord>;
