import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { idOf, root, type ShippedPackage } from './_shipped-packages.js';

/** What is needed of a package to find its licence. */
type Licensed = Pick<ShippedPackage, 'name' | 'version' | 'license' | 'folder'>;

/** The licences that a shipped package may have, by their SPDX identifiers. */
export const allowedLicenses: readonly string[] = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
];

/** Packages that declare a licence but contain no text of one. */
export const packagesWithoutText: readonly string[] = ['copy-to', 'koa-compose'];

/** What is wrong with the licences of these packages: one line each. */
export const licenseProblems = async (shipped: readonly Licensed[]): Promise<readonly string[]> => {
  const problems = shipped.map(async (each) => {
    if (!allowedLicenses.includes(each.license)) return [`${idOf(each)}: "${each.license}" is not allowed`];
    const isKnown = packagesWithoutText.includes(each.name) || (await licenseTexts(each)).length > 0;
    return isKnown ? [] : [`${idOf(each)}: there is no text of a licence`];
  });
  return (await Promise.all(problems)).flat();
};

/** Where the words in `src/accounts/common-passwords.ts` come from, and on what terms. */
export const wordLists = join(root, 'src/accounts/common-passwords.LICENSE.txt');

/** The licences of these packages and of the lists of words, with their texts, as a document to ship. */
export const licenseDocument = async (shipped: readonly Licensed[]): Promise<string> => {
  const sections = shipped.map(async (each) => {
    const texts = await licenseTexts(each);
    const text =
      texts.length > 0
        ? texts.join('\n\n')
        : 'The package declares this licence, but contains no text of it.';
    return `${'='.repeat(80)}\n${idOf(each)}\nLicence: ${each.license}\n\n${text}\n`;
  });
  const words = `${'='.repeat(80)}\n${await readFile(wordLists, 'utf8')}`;
  return [introduction, ...(await Promise.all(sections)), words].join('\n');
};

const introduction = `Packages that come with triage-api, or are installed with it, and their licences.
The licence of triage-api itself is in LICENSE.
`;

/** The files of a package that state its licence, and else the section about it in its README. */
const licenseTexts = async ({ folder }: Licensed): Promise<readonly string[]> => {
  const names = (await readdir(folder)).sort();
  const read = async (name: string): Promise<string> =>
    (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n').trim();
  const stating = names.filter((name) => /^(?:licen[cs]e|notice|copying)(?!.*\.js$)/i.test(name));
  const bundled = names.filter((name) => name === 'swagger-ui-bundle.js.LICENSE.txt');
  if (stating.length > 0) return Promise.all([...stating, ...bundled].map(read));
  const readme = names.find((name) => /^readme/i.test(name));
  if (readme === undefined) return [];
  const section =
    /^#+ *licen[cs]e *\n([\s\S]*?)(?=^#|(?![\s\S]))/im.exec(await read(readme))?.[1]?.trim() ?? '';
  return /permission is hereby granted/i.test(section) ? [section] : [];
};
