/** The weights of the metrics of CVSS 3.0 and 3.1 (specification, section 7.4). */
const weights: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: { H: 0.56, L: 0.22, N: 0 },
  I: { H: 0.56, L: 0.22, N: 0 },
  A: { H: 0.56, L: 0.22, N: 0 },
};

/** The privileges required weigh more if the scope changes. */
const privileges: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  U: { N: 0.85, L: 0.62, H: 0.27 },
  C: { N: 0.85, L: 0.68, H: 0.5 },
};

/** Rounds up to one decimal, without the errors of floating point numbers (CVSS 3.1, appendix A). */
const roundUp = (value: number): number => {
  const scaled = Math.round(value * 100_000);
  return scaled % 10_000 === 0 ? scaled / 100_000 : (Math.floor(scaled / 10_000) + 1) / 10;
};

/** The base score of a vector of CVSS 3.0 or 3.1; null for any other text. */
export const cvss3Score = (vector: string): number | null => {
  if (!/^CVSS:3\.[01]\/[A-Z/:]{1,300}$/.test(vector)) return null;
  const metrics = new Map(
    vector.split('/').map((part) => [part.split(':')[0] ?? '', part.split(':')[1] ?? '']),
  );
  const weight = (metric: string): number => weights[metric]?.[metrics.get(metric) ?? ''] ?? Number.NaN;
  const scope = metrics.get('S') ?? '';
  const privilege = privileges[scope]?.[metrics.get('PR') ?? ''] ?? Number.NaN;
  const impactBase = 1 - (1 - weight('C')) * (1 - weight('I')) * (1 - weight('A'));
  const impact =
    scope === 'C' ? 7.52 * (impactBase - 0.029) - 3.25 * (impactBase - 0.02) ** 15 : 6.42 * impactBase;
  const exploitability = 8.22 * weight('AV') * weight('AC') * privilege * weight('UI');
  const sum = scope === 'C' ? 1.08 * (impact + exploitability) : impact + exploitability;
  if (Number.isNaN(sum)) return null;
  return impact <= 0 ? 0 : roundUp(Math.min(sum, 10));
};
