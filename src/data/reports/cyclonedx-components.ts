import * as t from 'io-ts';
import * as E from '#fp-ts/Either';
import { packageFromPurl } from './purl.js';
import { repoNameFrom } from './repo-name.js';
import { Items, Line, usable } from './usable.js';

/** A component of a CycloneDX document. */
const Component = t.type({
  'bom-ref': usable(Line),
  purl: usable(Line),
  group: usable(Line),
  name: usable(Line),
  version: usable(Line),
  components: Items,
});
export type Component = t.TypeOf<typeof Component>;

const decodedComponent = (value: unknown): Component | null =>
  E.getOrElse((): Component | null => null)(Component.decode(value));

/** How deeply components may be nested. */
const maxDepth = 50;

/**
 * Finds the component that an affected `ref` of a document names: by its `bom-ref`, by its package URL, or as
 * the fragment of a BOM-Link, which names a component of another document. A `ref` that is a package URL
 * names a package even if no component has it. Null if nothing is found.
 */
export const componentsByRef = (
  subject: unknown,
  components: unknown,
): ((ref: string) => Component | null) => {
  const byRef = new Map<string, Component>();
  const add = (value: unknown, depth: number): void => {
    const component = decodedComponent(value);
    if (component === null) return;
    for (const key of [component['bom-ref'], component.purl])
      if (key !== undefined && !byRef.has(key)) byRef.set(key, component);
    if (depth < maxDepth) for (const inner of component.components) add(inner, depth + 1);
  };
  add(subject, 0);
  for (const each of Array.isArray(components) ? components : []) add(each, 0);
  return (ref) => {
    const fragment = ref.startsWith('urn:cdx:') ? unescaped(ref.slice(ref.indexOf('#') + 1)) : ref;
    return byRef.get(ref) ?? byRef.get(fragment) ?? componentOfPurl(fragment);
  };
};

const componentOfPurl = (purl: string): Component | null => {
  const named = packageFromPurl(purl);
  return named === null ? null : decodedComponent({ purl, name: named.name, version: named.version });
};

const unescaped = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** The package that a component is; null if it has no name. */
export const packageOfComponent = ({
  purl,
  group,
  name,
}: Component): Readonly<{ name: string; ecosystem: string | null }> | null => {
  const named = packageFromPurl(purl ?? '');
  if (named !== null) return named;
  if (name === undefined) return null;
  return { name: group === undefined ? name : `${group}/${name}`, ecosystem: null };
};

/** The repository that the subject of a document stands for. */
export const repoOfComponent = (subject: unknown): string | null => {
  const component = decodedComponent(subject);
  if (component?.name === undefined) return null;
  return repoNameFrom(
    component.group === undefined ? component.name : `${component.group}/${component.name}`,
  );
};
