import { Timestamp, timestampAt } from '../../contract/codecs/timestamp.js';

const rfc3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,3})\d*)?(Z|[+-]\d{2}:\d{2})$/;

/**
 * The moment of a time in RFC 3339, of any precision and offset; null for any other text. Tools written in Go
 * write the year 1 where they know no time, which counts as no time.
 */
export const sourceTime = (text: string | null): Timestamp | null => {
  const [, moment = '', fraction = '', offset = ''] = rfc3339.exec(text ?? '') ?? [];
  // A day that does not exist would become another one.
  if (!Timestamp.is(`${moment}.000Z`) || moment.startsWith('0001-')) return null;
  const time = Date.parse(`${moment}.${fraction.padEnd(3, '0')}${offset}`);
  return Number.isNaN(time) ? null : timestampAt(time);
};
