import { ecosystemFrom } from './ecosystem.js';
import { Line } from './usable.js';

/** A package as a package URL names it. */
export type PackageUrl = Readonly<{ ecosystem: string; name: string; version: string | null }>;

/** Types whose namespace is that of a distribution of Linux, which is no part of the name of a package. */
const distributions = ['deb', 'apk', 'rpm', 'alpm'];

/**
 * The package that a package URL such as `pkg:maven/org.acme/web@1.0?type=jar` names, under the name that its
 * ecosystem uses; null if the text is no package URL.
 */
export const packageFromPurl = (purl: string): PackageUrl | null => {
  const [, type = '', path = ''] = /^pkg:(?:\/\/)?([A-Za-z][\w.+-]*)\/([^?#]+)/.exec(purl) ?? [];
  if (type === '') return null;
  const at = path.indexOf('@', path.startsWith('@') ? 1 : 0);
  const [named, version] = at === -1 ? [path, null] : [path.slice(0, at), path.slice(at + 1)];
  const parts = named
    .split('/')
    .map(decoded)
    .filter((part) => part !== '');
  const name = parts.at(-1) ?? '';
  const namespace = parts.slice(0, -1).join('/');
  if (!Line.is(name) || !Line.is(`${namespace}/`)) return null;
  const kind = type.toLowerCase();
  const isDistribution = distributions.includes(kind);
  return {
    ecosystem: ecosystemFrom(isDistribution && namespace !== '' ? namespace : kind),
    name: namespace === '' || isDistribution ? name : `${namespace}${kind === 'maven' ? ':' : '/'}${name}`,
    version: version !== null && Line.is(decoded(version)) ? decoded(version) : null,
  };
};

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
