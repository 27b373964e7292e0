import test from 'ava';
import { operations } from '../../src/contract/operations.js';
import { openApiDocument } from '../../src/openapi/document.js';
import { readExamples } from '../../src/openapi/examples.js';
import { allChecks } from '../../src/verify/checks/all-checks.js';
import { documentText } from '../_documented.js';

/** The sections of the page by their numbers, such as 4.2, without their subsections. */
const sections = new Map(
  Array.from(
    documentText('api.md').matchAll(/^#{2,3} (\d(?:\.\d)?)\.? ([\s\S]*?)(?=^#{2,3} |(?![\s\S]))/gm),
    ([, number = '', text = '']) => [number, text],
  ),
);

const sectionWith = (number: string): string => sections.get(number) ?? '';

/** What stands in the first cells of the tables of a section. */
const firstCells = (number: string): readonly string[] =>
  Array.from(sectionWith(number).matchAll(/^\| (`.*?`) \|/gm)).flatMap(([, cell = '']) =>
    Array.from(cell.matchAll(/`(\w+)`/g), ([, name = '']) => name),
  );

test('every section and rule that a check of verify cites is on the page', (t) => {
  for (const { id, section } of allChecks) {
    for (const cited of section.split(', ')) {
      const [, number = '', rules = ''] = /^(\S+)(?: (?:rules?|note) (.*))?$/.exec(cited) ?? [];
      t.true(sections.has(number), `${id}: ${cited}`);
      for (const rule of rules.split(' and ').filter((each) => each !== ''))
        t.regex(sectionWith(number), new RegExp(`^${rule}\\. `, 'm'), `${id}: ${cited}`);
    }
  }
});

const document = openApiDocument(readExamples());
const fieldsOf = (schema: string): readonly string[] =>
  Object.keys(Object(Object(document.components).schemas)[schema].properties);

for (const [number, ...schemas] of [
  ['2.1', 'Repo', 'LastScan'],
  ['2.2', 'FindingDetail'],
  ['2.3', 'Pr'],
] as const) {
  test(`section ${number} has every field of ${schemas.join(' and ')}, and no other`, (t) => {
    const unique = (names: readonly string[]) => [...new Set(names)].sort();
    t.deepEqual(unique(firstCells(number)), unique(schemas.flatMap(fieldsOf)));
  });
}

test('the page has every operation with its parameters and credentials', (t) => {
  for (const { path } of Object.values(operations)) {
    t.is([...sections.values()].filter((text) => text.includes(`\`GET ${path}\``)).length, 1, path);
  }
  t.deepEqual(
    [...firstCells('4.2')].sort(),
    Object.keys(operations.listFindings.queryParameters.type.props).sort(),
  );
  for (const name of Object.keys(operations.listPrs.queryParameters.type.props))
    t.true(sectionWith('4.4').includes(`\`${name}\``), name);
  for (const { id, accepts } of Object.values(operations)) {
    const row = sectionWith('5')
      .split('\n')
      .find((line) => line.startsWith('|') && line.includes(id));
    t.true(row?.endsWith(accepts.length === 2 ? '| yes | yes |' : '| yes | no |'), id);
  }
});
