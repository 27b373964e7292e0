/** Ids that are not quite this one: in other letter case, cut short, continued, or among spaces. */
export const inexactIds = (id: string): readonly string[] =>
  [...new Set([id.toUpperCase(), id.toLowerCase(), id.slice(0, -1), `${id}0`, ` ${id}`, `${id} `])].filter(
    (each) => each.trim() !== '' && each !== id,
  );
