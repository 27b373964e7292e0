import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as t from 'io-ts';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A package of others that comes with this one: installed as a dependency, or as files in `build/assets`. */
export type ShippedPackage = Readonly<{ name: string; version: string; license: string; folder: string }>;

/** Packages that are needed to build only, but whose files are copied into the package. */
export const copiedPackages: readonly string[] = ['swagger-ui-dist'];

const Lock = t.type({
  packages: t.record(
    t.string,
    t.intersection([
      t.type({ version: t.string }),
      t.partial({ name: t.string, license: t.string, dev: t.boolean, devOptional: t.boolean }),
    ]),
  ),
});

/** Every package that is shipped, by name and version; the same version in two folders counts once. */
export const shippedPackages = async (): Promise<readonly ShippedPackage[]> => {
  const lock: unknown = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  if (!Lock.is(lock)) throw new TypeError('package-lock.json: expected packages with a version each');
  const found = Object.entries(lock.packages)
    .filter(([path]) => path !== '')
    .map(([path, entry]) => ({
      ...entry,
      folder: join(root, path),
      name: path.replace(/^.*node_modules\//, ''),
    }))
    .filter(({ name, dev, devOptional }) => !(dev || devOptional) || copiedPackages.includes(name))
    .map(({ name, version, license = '', folder }) => ({ name, version, license, folder }));
  const byId = new Map(found.map((each) => [idOf(each), each]));
  return [...byId.values()].sort((l, r) => (idOf(l) < idOf(r) ? -1 : 1));
};

/** `name@version`, as npm writes it. */
export const idOf = ({ name, version }: Pick<ShippedPackage, 'name' | 'version'>): string =>
  `${name}@${version}`;
