import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as t from 'io-ts';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Packages that are needed to build only, but whose files are copied into the package. */
export const copiedPackages = ['swagger-ui-dist'];

/** Packages that only the command line needs. Its bundle contains them, so they need not be installed. */
export const bundledPackages = [
  ...['ae-cvss-calculator', 'commander', 'lilconfig', 'lru-cache', 'packageurl-js', 'pg', 'prom-client'],
  'string-width',
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
