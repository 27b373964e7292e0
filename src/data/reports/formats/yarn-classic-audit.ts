import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { npmAdvisoryEntry } from '../npm-advisory.js';
import type { Entry, ReportFormat } from '../report.js';
import { decodeEntry } from '../usable.js';

const Advisory = t.type({ data: t.type({ advisory: t.unknown }) }, 'audit advisory');

/** A line of Yarn 1. `auditSummary` counts, and the other types are messages. */
const Line = t.type({ type: t.string, data: t.unknown });

const types = ['auditAdvisory', 'auditAction', 'auditSummary', 'info', 'warning', 'activityTick', 'step'];

const recognizes = (document: unknown): boolean => Line.is(document) && types.includes(document.type);

/** `yarn audit --json` of Yarn 1: a line for each path to a vulnerable package. */
export const yarnClassicAudit: ReportFormat = {
  name: 'yarn audit (Yarn 1)',
  recognizes,
  isLines: true,
  convert: (lines) => ({
    repos: [],
    scannedAt: null,
    entries: (Array.isArray(lines) ? lines : []).flatMap((document: unknown, index): readonly Entry[] => {
      if (!Line.is(document) || document.type !== 'auditAdvisory') return [];
      const line = decodeEntry(Advisory, document, [index]);
      return [
        E.isLeft(line) ? line : npmAdvisoryEntry(line.right.data.advisory, [index, 'data', 'advisory']),
      ];
    }),
  }),
};
