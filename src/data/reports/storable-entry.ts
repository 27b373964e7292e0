import * as E from '#fp-ts/Either';
import { Text } from '../../contract/codecs/text-and-numbers.js';
import type { Entry, Fix } from './report.js';
import { Line, leaveOut } from './usable.js';

const textsOf = (fix: Fix | null): readonly string[] => {
  if (fix === null || fix.kind === 'none') return [];
  return fix.kind === 'versions' ? fix.versions : [fix.range];
};

/** An entry whose texts every storage can keep. Any other one is left out, or it would stop all of them. */
export const storableEntry = (entry: Entry): Entry => {
  if (E.isLeft(entry)) return entry;
  const { package: name, ecosystem, ids, vulnerableRange, fix, installed, prUrl } = entry.right;
  const optional = [ecosystem, vulnerableRange, installed, prUrl, ...textsOf(fix)];
  const isStorable =
    [name, ...ids].every(Line.is) && optional.every((text) => text === null || Text.is(text));
  return isStorable ? entry : E.left(leaveOut('malformed', [], 'text that cannot be stored'));
};
