import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as t from 'io-ts';
import { copiedPackages, idOf, root, type ShippedPackage } from './_shipped-packages.js';

const Property = t.type({ name: t.string, value: t.string });
const Component = t.intersection([
  t.type({ 'bom-ref': t.string, name: t.string, version: t.string }),
  t.partial({ properties: t.array(Property) }),
]);
const Bom = t.type({
  metadata: t.type({ component: t.UnknownRecord }),
  components: t.array(Component),
  dependencies: t.array(t.type({ ref: t.string, dependsOn: t.array(t.string) })),
});

/**
 * The bill of materials in CycloneDX, as npm makes it from the lock file, reduced to what is shipped. The
 * option `--omit dev` of npm would also leave out packages that a development dependency needs as well. It
 * has no serial number and no time, so that it depends on nothing but the lock file and the version of npm.
 */
export const billOfMaterials = async (shipped: readonly ShippedPackage[]): Promise<string> => {
  const bom: unknown = JSON.parse(await npm('sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'));
  if (!Bom.is(bom)) throw new TypeError('npm sbom printed no CycloneDX document');
  const { name, version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const refs = new Set([`${name}@${version}`, ...shipped.map(idOf)]);
  const { timestamp, ...metadata } = Object(bom.metadata);
  const { serialNumber, ...document } = Object(bom);
  const components = bom.components.filter((each) => refs.has(each['bom-ref']));
  return `${JSON.stringify(
    {
      ...document,
      metadata: { ...metadata, component: { ...bom.metadata.component, name } },
      components: await Promise.all(components.map(withContent)),
      dependencies: bom.dependencies
        .filter(({ ref }) => refs.has(ref))
        .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
    },
    null,
    2,
  )}\n`;
};

/** A component; one that is copied is marked, and lists what its publisher has bundled in it. */
const withContent = async (component: t.TypeOf<typeof Component>): Promise<unknown> =>
  copiedPackages.includes(component.name)
    ? {
        ...component,
        properties: [{ name: 'cdx:npm:package:bundled', value: 'true' }],
        components: (await bundledNames()).map((name) => ({ type: 'library', name })),
      }
    : component;

/** The packages in the bundle of Swagger UI. Its publisher lists their names, but not their versions. */
const bundledNames = async (): Promise<readonly string[]> => {
  const list = join(root, 'node_modules', 'swagger-ui-dist', 'log.bundle-sizes.swagger-ui.txt');
  const lines = (await readFile(list, 'utf8')).split('\n');
  return lines.flatMap((line) => /^((?:@[\w.-]+\/)?[\w.-]+): [\d.]+ /.exec(line)?.[1] ?? []).sort();
};

/** Runs npm, by the program that runs this script if npm does. */
const npm = async (...words: readonly string[]): Promise<string> => {
  const program = process.env.npm_execpath;
  const [file, args] =
    program?.endsWith('npm-cli.js') === true ? [process.execPath, [program, ...words]] : ['npm', [...words]];
  const { stdout } = await promisify(execFile)(file, args, { cwd: root, maxBuffer: 2 ** 26 });
  return stdout;
};
