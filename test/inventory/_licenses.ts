import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nameOf, root } from './_shipped-packages.js';

/** The licences that a shipped package may have, by their SPDX identifiers. */
const allowed = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
];

/** Packages that declare a licence but contain no text of one. */
const withoutText = ['copy-to', 'koa-compose'];

/** Where the words in `src/accounts/common-passwords.ts` come from, and on what terms. */
export const wordLists = join(root, 'src/accounts/common-passwords.LICENSE.txt');

type Licensed = Readonly<{ id: string; license: string; folder: string }>;

const read = async (file: string): Promise<string> =>
  (await readFile(file, 'utf8')).replaceAll('\r\n', '\n').trim();

/** The files of a package that state its licence, and else the section about it in its README. */
const licenseText = async ({ folder }: Licensed): Promise<string> => {
  const names = (await readdir(folder)).sort();
  const stating = names.filter((name) => /^(?:licen[cs]e|notice|copying)(?!.*\.js$)/i.test(name));
  const copied = names.filter((name) => name === 'swagger-ui-bundle.js.LICENSE.txt');
  const texts = await Promise.all([...stating, ...copied].map((name) => read(join(folder, name))));
  if (texts.length > 0) return texts.join('\n\n');
  const readme = names.find((name) => /^readme/i.test(name));
  const text = readme === undefined ? '' : await read(join(folder, readme));
  const section = /^#+ *licen[cs]e *\n([\s\S]*?)(?=^#|(?![\s\S]))/im.exec(text)?.[1]?.trim() ?? '';
  return /permission is hereby granted/i.test(section) ? section : '';
};

/**
 * The licences of these packages and of the lists of words, with their texts, as a document to ship. Rejects
 * with one line for each licence that is not allowed, or has no text.
 */
export const licenseDocument = async (packages: readonly Licensed[]): Promise<string> => {
  const problems: string[] = [];
  const sections: string[] = [];
  for (const each of new Map(packages.map((one) => [one.id, one])).values()) {
    const text = await licenseText(each);
    if (!allowed.includes(each.license)) problems.push(`${each.id}: "${each.license}" is not allowed`);
    else if (text === '' && !withoutText.includes(nameOf(each.id)))
      problems.push(`${each.id}: there is no text of a licence`);
    sections.push(`${each.id}\nLicence: ${each.license}\n\n${text || 'The package contains no text of it.'}`);
  }
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const line = `\n${'='.repeat(80)}\n`;
  return `Packages that come with triage-api, or are installed with it, and their licences.
The licence of triage-api itself is in LICENSE.
${[...sections, await read(wordLists)].map((section) => `${line}${section}\n`).join('')}`;
};
