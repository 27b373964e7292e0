import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as t from 'io-ts';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Packages that are needed to build only, but whose files are copied into the package. */
export const copiedPackages = ['swagger-ui-dist'];

/** Packages that only the command line and demos need. Their bundles contain them, so nobody installs them. */
export const bundledPackages = [
  'ae-cvss-calculator',
  'commander',
  'idb-keyval',
  'packageurl-js',
  'pg',
  'prom-client',
];

/** `koa` of `koa@3.3.0`. */
export const nameOf = (id: string): string => id.replace(/@[^@]*$/, '');

const LockFile = t.type({
  packages: t.record(
    t.string,
    t.partial({ version: t.string, license: t.string, dev: t.boolean, devOptional: t.boolean }),
  ),
});

/** The packages of the lock file. `id`: `name@version`, as npm writes it; it can be in several folders. */
export const lockedPackages = async () => {
  const lock: unknown = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  if (!LockFile.is(lock)) throw new TypeError('package-lock.json has another form than expected');
  const { '': _self, ...packages } = lock.packages;
  return Object.entries(packages).map(([path, { version = '', license = '', dev, devOptional }]) => ({
    id: `${path.replace(/^.*node_modules\//, '')}@${version}`,
    license,
    folder: join(root, path),
    isInstalled: dev !== true && devOptional !== true,
  }));
};

const Bom = t.type({
  metadata: t.type({ component: t.type({ 'bom-ref': t.string }) }),
  components: t.array(t.type({ 'bom-ref': t.string })),
  dependencies: t.array(t.type({ ref: t.string, dependsOn: t.array(t.string) })),
});

/**
 * The bill of materials in CycloneDX, as npm makes it from the lock file, reduced to what is shipped:
 * installed, bundled or copied. The option `--omit dev` of npm would leave out what a development dependency
 * needs as well. It has no serial number and no time, so that it depends on nothing but the lock file and the
 * version of npm.
 */
export const billOfMaterials = async (): Promise<t.TypeOf<typeof Bom>> => {
  const { name, dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const words = ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'];
  // On Windows, npm is a batch file, which needs a shell.
  const options = { cwd: root, maxBuffer: 2 ** 26, shell: process.platform === 'win32' };
  const { stdout } = await promisify(execFile)('npm', words, options);
  const { serialNumber: _serialNumber, ...bom } = JSON.parse(stdout);
  if (!Bom.is(bom)) throw new TypeError('npm sbom printed something else than expected');
  const { timestamp: _timestamp, ...metadata } = Object(bom.metadata);
  const self = bom.metadata.component['bom-ref'];
  const needs = new Map(bom.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const direct = needs.get(self) ?? [];
  const names = [...Object.keys(dependencies), ...bundledPackages];
  const shipped = new Set(direct.filter((ref) => names.includes(nameOf(ref))));
  // What is added here is visited as well.
  for (const ref of shipped) for (const needed of needs.get(ref) ?? []) shipped.add(needed);
  for (const ref of direct) if (copiedPackages.includes(nameOf(ref))) shipped.add(ref);
  return {
    ...bom,
    metadata: { ...metadata, component: { ...bom.metadata.component, name } },
    components: bom.components.filter((each) => shipped.has(each['bom-ref'])),
    dependencies: bom.dependencies
      .filter(({ ref }) => ref === self || shipped.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => shipped.has(each)) })),
  };
};

/** The packages that are shipped: those of the bill of materials that the build has written. */
export const shippedPackages = async () => {
  const bom: unknown = JSON.parse(await readFile(join(root, 'sbom.cdx.json'), 'utf8'));
  const ids = Bom.is(bom) ? bom.components.map((each) => each['bom-ref']) : [];
  return (await lockedPackages()).filter(({ id }) => ids.includes(id));
};

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

/** Where the words in `src/accounts/common-passwords.txt` come from, and on what terms. */
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
