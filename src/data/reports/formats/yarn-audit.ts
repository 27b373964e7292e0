import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { idsIn, idsOf } from '../advisory-ids.js';
import { fixAfter } from '../npm-advisory.js';
import { type Entry, finding, type ReportFormat } from '../report.js';
import { decodeEntry, Line, leaveOut, usable, usableItems } from '../usable.js';

const Report = t.type({ value: t.unknown, children: t.UnknownRecord });

const AuditLine = t.type(
  {
    value: Line,
    children: t.type({
      ID: usable(t.union([t.number, Line])),
      URL: usable(Line),
      Severity: usable(Line),
      'Vulnerable Versions': usable(Line),
      'Tree Versions': usableItems(Line),
    }),
  },
  'line of yarn npm audit',
);

const entryOf = (document: unknown, index: number): Entry => {
  const decoded = decodeEntry(AuditLine, document, [index]);
  if (E.isLeft(decoded)) return decoded;
  const { value, children } = decoded.right;
  if (String(children.ID).endsWith('(deprecation)')) return E.left(leaveOut('deprecation', [index], value));
  const range = children['Vulnerable Versions'];
  const ids = idsOf([
    ...idsIn(children.URL ?? ''),
    children.ID === undefined ? undefined : String(children.ID),
  ]);
  if (ids.length === 0) return E.left(leaveOut('no-advisory', [index], value));
  return E.right(
    finding({
      package: value,
      ids,
      ecosystem: 'npm',
      severity: children.Severity ?? null,
      vulnerableRange: range ?? null,
      fix: fixAfter(range ?? ''),
      installed: children['Tree Versions'][0] ?? null,
    }),
  );
};

/** `yarn npm audit --json` of Yarn 4: an advisory a line. */
export const yarnAudit: ReportFormat = {
  name: 'yarn npm audit (Yarn 4)',
  recognizes: (document) => Report.is(document) && 'value' in document,
  isLines: true,
  convert: (lines) => ({
    repos: [],
    scannedAt: null,
    entries: (Array.isArray(lines) ? lines : []).map(entryOf),
  }),
};
