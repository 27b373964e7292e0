/**
 * A range of the `vers` scheme, such as `vers:npm/>=4.0.0|<4.3.1`, as a range expression. A constraint that
 * sets a lower bound begins an alternative, as does a single version. Any other text stays as it is.
 */
export const rangeFromVers = (text: string): string => {
  const [, constraints] = /^vers:[\w.+-]+\/(.+)$/s.exec(text) ?? [];
  if (constraints === undefined) return text;
  if (constraints.trim() === '*') return '*';
  const alternatives: string[] = [];
  let isOpen = false;
  for (const constraint of constraints
    .split('|')
    .map((each) => each.trim())
    .slice(0, maxConstraints)) {
    const [, operator = '', version = ''] = /^(>=|<=|!=|<|>|=)?\s*(\S+)$/.exec(constraint) ?? [];
    if (version === '' || operator === '!=') continue;
    const comparison = `${operator === '' ? '=' : operator} ${version}`;
    if (isOpen && operator.startsWith('<')) alternatives.push(`${alternatives.pop()}, ${comparison}`);
    else alternatives.push(comparison);
    isOpen = operator.startsWith('>');
  }
  return alternatives.length === 0 ? text : alternatives.join(' || ');
};

/** How many constraints are read; no range has more. */
const maxConstraints = 100;
