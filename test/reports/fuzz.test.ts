import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { validateDataset } from '../../src/records/validate-dataset.js';
import { assembleTenant } from '../../src/reports/assemble-tenant.js';
import { ImportSummary } from '../../src/reports/import-summary.js';
import { readReport } from '../../src/reports/read-report.js';
import { runs } from '../_runs.js';
import { asOf, bytesOf } from './_imported.js';
import { mutated, mutations } from './_mutations.js';
import { samples } from './_samples.js';

/** A file is refused with a reason, or becomes a tenant in which every entry is accounted for. */
const isAnswered = (t: ExecutionContext, text: string): 'refused' | 'imported' => {
  const report = readReport(bytesOf(text));
  if (E.isLeft(report)) {
    t.true(report.left.length > 10 && report.left.length < 2000, report.left);
    return 'refused';
  }
  const tenant = assembleTenant([{ file: 'a.json', repo: null, report: report.right }], {
    name: 'team',
    asOf,
    file: null,
  });
  if (E.isLeft(tenant)) throw new Error(JSON.stringify(tenant.left));
  const { complete, summary } = tenant.right;
  const { read, findings, merged, leftOut } = summary.total;
  if (read !== findings + merged + leftOut || complete.fixDrafts.length !== findings)
    throw new Error(JSON.stringify(summary.total));
  if (!ImportSummary.is(summary)) throw new Error('the summary is not valid');
  if (E.isLeft(validateDataset(JSON.parse(JSON.stringify(complete)))))
    throw new Error('the tenant is not valid');
  return 'imported';
};

const { numRuns } = runs();

for (const [name, sample] of Object.entries(samples)) {
  test(`a changed report is refused or becomes a valid tenant: ${name}`, (t) => {
    let importedOnes = 0;
    fc.assert(
      fc.property(mutations, (changes) => {
        const text = JSON.stringify(mutated(sample, changes)) ?? 'null';
        if (isAnswered(t, text) === 'imported') importedOnes += 1;
      }),
      { numRuns },
    );
    // Otherwise the changes would prove nothing about the converter.
    t.true(importedOnes > numRuns / 4, String(importedOnes));
  });

  test(`a report that ends too early, or is damaged, is answered: ${name}`, (t) => {
    const text = JSON.stringify(sample, null, 1);
    fc.assert(
      fc.property(
        fc.nat(text.length),
        fc.nat(text.length),
        fc.constantFrom('', '{', '}', '[', ']', '"', '\n', '\\', ',', 'x'),
        (end, at, inserted) => {
          isAnswered(t, text.slice(0, end));
          isAnswered(t, text.slice(0, at) + inserted + text.slice(at));
        },
      ),
      { numRuns },
    );
  });
}

test('text that is no report is refused', (t) => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (text) => void isAnswered(t, text)),
    { numRuns },
  );
});
