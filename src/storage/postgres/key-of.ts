import { Text } from '../../codecs/text.js';

/**
 * An id or a key to look for, as somebody sent it. PostgreSQL refuses text with U+0000, which therefore nothing stored can
 * have; nor is any id empty, so that what cannot be is looked for as what never is.
 */
export const keyOf = (text: string): string => (Text.is(text) ? text : '');
