import { Severity, valuesOf } from '../../contract/enums.js';

/** What is known of a severity besides its name. */
type SeverityFacts = Readonly<{
  /** How many of a hundred findings of a generated tenant have it. */
  generated: number;
  /** About how many of a hundred advisories of the GitHub Advisory Database have it. */
  published: number;
  /** The greatest exploit signal of a made-up finding: graver advisories are exploited more often. */
  exploited: number;
  /** The least score in CVSS 3 and 4. */
  score: number;
  /** The words of scanners. */
  words: readonly string[];
}>;

const facts = {
  critical: { generated: 7, published: 12, exploited: 0.9, score: 9, words: ['critical'] },
  high: { generated: 28, published: 34, exploited: 0.65, score: 7, words: ['high', 'important', 'error'] },
  medium: {
    generated: 54,
    published: 42,
    exploited: 0.4,
    score: 4,
    words: ['medium', 'moderate', 'warning'],
  },
  low: { generated: 11, published: 12, exploited: 0.2, score: 0, words: ['low', 'minor', 'note'] },
} satisfies Readonly<Record<Severity, SeverityFacts>>;

/** The severities, the worst first. */
export const severities: readonly (SeverityFacts & Readonly<{ severity: Severity }>)[] = valuesOf(
  Severity,
).map((severity) => ({ severity, ...facts[severity] }));
