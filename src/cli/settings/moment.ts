import { UtcTime } from '../../contract/codecs/timestamp.js';
import { withSchema } from './setting-codec.js';

/** A moment in UTC as people write it. */
export const Moment = withSchema(UtcTime, {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{3})?Z$',
});
