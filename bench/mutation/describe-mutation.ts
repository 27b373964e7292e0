import type { Mutation } from './mutations.js';

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 160 ? `${line.slice(0, 157)}...` : line;
};

/** A mutation on one line: what was there, and what is there now. */
export const describeMutation = ({ original, mutated }: Mutation): string =>
  `${oneLine(original)} → ${oneLine(mutated) || '(removed)'}`;
