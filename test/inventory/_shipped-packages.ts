import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as t from 'io-ts';

/** The root of the repository. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * A package of others that comes with this one: installed as a dependency, in the bundle of the command line,
 * or as files in `build/assets`.
 */
export type ShippedPackage = Readonly<{
  name: string;
  version: string;
  license: string;
  folder: string;
  /** Every folder that holds this version, relative to the root. */
  folders: readonly string[];
  isInstalled: boolean;
}>;

/** Packages that are needed to build only, but whose files are copied into the package. */
export const copiedPackages: readonly string[] = ['swagger-ui-dist'];

/**
 * Packages that only the command line needs. They are in its bundle with what they depend on, so they need
 * not be installed.
 */
export const bundledPackages: readonly string[] = [
  'commander',
  'lilconfig',
  'pg',
  'prom-client',
  'string-width',
];

const Entry = t.intersection([
  t.type({ version: t.string }),
  t.partial({
    license: t.string,
    dev: t.boolean,
    devOptional: t.boolean,
    dependencies: t.record(t.string, t.string),
    optionalDependencies: t.record(t.string, t.string),
  }),
]);
type Entry = t.TypeOf<typeof Entry>;

/** The packages of the lock file, by folder. */
export type Locked = Readonly<Record<string, Entry>>;

export const lockedPackages = async (): Promise<Locked> => {
  const lock: unknown = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  if (!t.type({ packages: t.record(t.string, Entry) }).is(lock))
    throw new TypeError('package-lock.json: expected packages with a version each');
  const { '': _self, ...packages } = lock.packages;
  return packages;
};

/** The folder in which Node finds a package that is imported from a folder; null: it is not installed. */
const folderOf = (locked: Locked, name: string, from: string): string | null => {
  const folder = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (locked[folder] !== undefined) return folder;
  return from === ''
    ? null
    : folderOf(locked, name, from.replace(/\/?node_modules\/(?:@[^/]+\/)?[^/]+$/, ''));
};

/** The folders of packages with those of all that they depend on. */
export const withDependencies = (
  locked: Locked,
  names: readonly string[],
  from = '',
  found = new Set<string>(),
): ReadonlySet<string> => {
  for (const name of names) {
    const folder = folderOf(locked, name, from);
    if (folder === null || found.has(folder)) continue;
    found.add(folder);
    const { dependencies = {}, optionalDependencies = {} } = locked[folder] ?? {};
    withDependencies(locked, Object.keys({ ...dependencies, ...optionalDependencies }), folder, found);
  }
  return found;
};

const nameOf = (folder: string): string => folder.replace(/^.*node_modules\//, '');

/** Every package that is shipped, by name and version; the same version in two folders counts once. */
export const shippedPackages = async (): Promise<readonly ShippedPackage[]> => {
  const locked = await lockedPackages();
  const bundled = withDependencies(locked, bundledPackages);
  const byId = new Map<string, ShippedPackage>();
  for (const [path, { version, license = '', dev = false, devOptional = false }] of Object.entries(locked)) {
    const name = nameOf(path);
    const isInstalled = !dev && !devOptional;
    if (!isInstalled && !bundled.has(path) && !copiedPackages.includes(name)) continue;
    const id = idOf({ name, version });
    const same = byId.get(id);
    byId.set(id, {
      name,
      version,
      license,
      folder: same?.folder ?? join(root, path),
      folders: [...(same?.folders ?? []), path],
      isInstalled: isInstalled || same?.isInstalled === true,
    });
  }
  return [...byId.values()].sort((l, r) => (idOf(l) < idOf(r) ? -1 : 1));
};

/** `name@version`, as npm writes it. */
export const idOf = ({ name, version }: Pick<ShippedPackage, 'name' | 'version'>): string =>
  `${name}@${version}`;
