import * as t from 'io-ts';

/** Why an entry of a report does not become a finding. The summary shows the text. */
export const leftOutReasons = {
  malformed: 'does not have the form that the tool writes',
  'names-another-package': 'only names another package, through which the problem comes',
  'no-package': 'names no package',
  'no-advisory': 'has no id of an advisory',
  'unknown-component': 'affects a component that the document does not contain',
  withdrawn: 'the advisory was withdrawn',
  deprecation: 'is a deprecation, not a vulnerability',
  ignored: 'is ignored by the settings of the scanner',
  'not-affected': 'says that the package is not affected',
  'not-a-dependency': 'is not about a dependency',
} as const;

export const LeftOutReason = t.keyof(leftOutReasons, 'a reason to leave an entry out');
export type LeftOutReason = t.TypeOf<typeof LeftOutReason>;
