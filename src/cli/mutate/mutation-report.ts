import type { Lie } from '../../simulation/lies/index.js';
import { attributes } from '../../verify/junit-report.js';
import { countOf } from '../output/text.js';

/**
 * What became of a lie. `late`: a run took so long that its client waits for what never comes, which counts
 * as noticed; `accepted`: nothing failed, as the file of accepted ones says.
 */
type Fate = 'noticed' | 'late' | 'survived' | 'accepted' | 'untold';

export type Verdict = Readonly<{ lie: Lie; fate: Fate; why: string }>;

/** The lies that were told, and those of them that were noticed or are accepted. */
export const score = (verdicts: readonly Verdict[]) => {
  const told = verdicts.filter(({ fate }) => fate !== 'untold');
  return { told, good: told.filter(({ fate }) => fate !== 'survived') };
};

const isSurvivor = ({ fate }: Verdict): boolean => fate === 'survived';

const sentenceOf = ({ lie: { sentence, section } }: Verdict): string =>
  `${sentence}, and nothing failed: section ${section}`;

/** The report in lines: what nothing has noticed, the gravest first, and what could not be told. */
export const mutationLines = (verdicts: readonly Verdict[], seconds: number): readonly string[] => {
  const survivors = verdicts.filter(isSurvivor);
  const accepted = verdicts.filter(({ fate }) => fate === 'accepted');
  const late = verdicts.filter(({ fate }) => fate === 'late');
  const untold = new Set(verdicts.flatMap(({ fate, why }) => (fate === 'untold' ? [why] : [])));
  const { told } = score(verdicts);
  const noticed = told.length - survivors.length - accepted.length;
  const share = Math.floor((100 * noticed) / Math.max(told.length, 1));
  return [
    ...(survivors.length === 0 ? [] : ['No test noticed, the gravest first']),
    ...survivors.map((each) => `  ${sentenceOf(each)} (${each.lie.id})`),
    ...(untold.size === 0 ? [] : ['Could not be told']),
    ...Array.from(untold, (why) => `  ${why}`),
    [
      `${noticed} of ${countOf(told.length, 'lie')} noticed (${share} %) in ${Math.round(seconds)} s`,
      ...(late.length === 0 ? [] : [`${late.length} of them because the run took too long`]),
      ...(accepted.length === 0 ? [] : [`${accepted.length} accepted`]),
    ].join(', '),
  ];
};

/** The same as JUnit XML: a test case for each lie, which fails if nothing has noticed it. */
export const mutationJunit = (verdicts: readonly Verdict[]): string => {
  const failures = verdicts.filter(isSurvivor).length;
  const skipped = verdicts.filter(({ fate }) => fate === 'untold').length;
  const counts = { name: 'triage-api mutate', tests: verdicts.length, failures, skipped };
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes(counts)}>`,
    `  <testsuite${attributes(counts)}>`,
    ...verdicts.map((each) => {
      const { lie, fate, why } = each;
      const result =
        fate === 'survived'
          ? `<failure${attributes({ message: sentenceOf(each) })}/>`
          : fate === 'untold'
            ? `<skipped${attributes({ message: why })}/>`
            : '';
      const name = `${lie.id}: ${lie.sentence}`;
      return `    <testcase${attributes({ classname: lie.gravity, name })}>${result}</testcase>`;
    }),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
};
