import { crc32 } from 'node:zlib';

/**
 * A line of a journal: a JSON array of the checksum of a record, and the record. So a line that was written
 * in part is noticed, and every tool that reads JSON lines can read a journal.
 */
export const journalLine = (record: string): string => `["${checksum(record)}",${record}]\n`;

/** The record, as JSON text, of a line without its end; null if the line is damaged. */
export const recordOfLine = (line: Buffer): string | null => {
  if (line.length <= prefixLength || line.at(-1) !== closingBracket) return null;
  const record = line.subarray(prefixLength, -1);
  return line.toString('latin1', 0, prefixLength) === `["${checksum(record)}",` ? record.toString() : null;
};

/** Whether these bytes begin as a record does, whatever else may be wrong with them. */
export const beginsAsRecord = (start: Buffer): boolean =>
  /^\["[0-9a-f]{8}",/.test(start.toString('latin1', 0, prefixLength));

/** The length of `["01234567",`. */
export const prefixLength = 12;
const closingBracket = ']'.charCodeAt(0);

const checksum = (record: string | Buffer): string => crc32(record).toString(16).padStart(8, '0');

/**
 * The record after those with which a journal was begun. They were written to the disk before the file got
 * its name, so of them nothing can be missing; of the records after it, the last one can be incomplete.
 */
export const endOfSnapshot = '"end of snapshot"';
