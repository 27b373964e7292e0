import { open } from 'node:fs/promises';
import * as E from '#fp-ts/Either';
import { beginsAsRecord, endOfSnapshot, recordOfLine } from './journal-line.js';
import { type FileLine, readLines } from './read-lines.js';

/** Takes a record, as JSON text; returns what is wrong with it, one line for each problem. */
export type TakeRecord = (record: string) => readonly string[];

/** Bytes at the end of a journal that are no whole record: the process ended while it was writing them. */
export type JournalTail = Readonly<{ lostBytes: number }>;

/**
 * Reads a journal record by record. `left`: why it cannot be used, one line for each problem.
 *
 * A damaged record at the end is what a crash or a power failure leaves of one that was not acknowledged; it
 * is ignored. If several are damaged, or one with others after it, something else has damaged them.
 */
export const readJournal = async (
  file: string,
  take: TakeRecord,
): Promise<E.Either<readonly string[], JournalTail>> => {
  const handle = await open(file, 'r');
  try {
    let damaged: FileLine | null = null;
    let damagedRecords = 0;
    let isSnapshot = true;
    for await (const line of readLines(handle)) {
      const record = line.isWhole ? recordOfLine(line.bytes) : null;
      if (record === null) {
        damaged ??= line;
        if (line.isWhole && beginsAsRecord(line.bytes)) damagedRecords += 1;
      } else if (damaged !== null) {
        return E.left([damagedLine(file, damaged, 'but later ones are not', !isSnapshot)]);
      } else if (record === endOfSnapshot) {
        isSnapshot = false;
      } else {
        const problems = take(record);
        if (problems.length > 0) return E.left(problems.map((each) => `${file}:${line.number}: ${each}`));
      }
    }
    if (isSnapshot)
      return E.left([
        damaged === null
          ? `${file}: the file is incomplete: its end is missing. Restore a backup of it.`
          : damagedLine(file, damaged, 'and it belongs to the snapshot at the beginning', false),
      ]);
    if (damaged === null) return E.right({ lostBytes: 0 });
    // A record is only appended once the one before it is on the disk, so a crash damages one at most.
    if (damagedRecords > 1) return E.left([damagedLine(file, damaged, 'and so are later ones', true)]);
    const { size } = await handle.stat();
    return E.right({ lostBytes: size - damaged.offset });
  } finally {
    await handle.close();
  }
};

const damagedLine = (
  file: string,
  { number, offset }: FileLine,
  why: string,
  isDispensable: boolean,
): string =>
  `${file}:${number}: the record at byte ${offset} is damaged, ${why}, so this is not the result of a crash. ` +
  'The file was left unchanged. Restore a backup of it' +
  (isDispensable ? `, or delete line ${number} to start without that record.` : '.');
