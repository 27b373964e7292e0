/** Ids that are not quite this one: in other letter case, cut short, continued, or with a space. */
export const inexactIds = (id: string): readonly string[] =>
  [...new Set([id.toUpperCase(), id.toLowerCase(), id.slice(0, -1), `${id}0`, `${id} `])].filter(
    (each) => each.trim() !== '' && each !== id,
  );

/** Ids of unusual forms, which no tenant has: a number, other letters and a quote, and many characters. */
export const oddIds: readonly string[] = ['-1', "ö'", 'triage-api-verify'.repeat(20)];
