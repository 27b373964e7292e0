import type * as t from 'io-ts';
import { described } from '../codecs/described.js';
import { nullable } from '../codecs/nullable.js';
import { Integer } from '../codecs/numbers.js';
import { StrictObject } from '../codecs/strict-object.js';
import { Identifier, Text } from '../codecs/text.js';
import { Timestamp } from '../codecs/timestamp.js';

/** One scan of a repository. `status` is free-form; `error` is null when the scan had none. */
export const ScanRecord = new StrictObject(
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
