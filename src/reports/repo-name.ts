import { packageFromPurl } from './purl.js';

/** The owner of a repository of which only the name is known. */
export const unknownOwner = 'imported';

const maxLength = 100;

/** The characters that GitHub allows in names; others become hyphens. */
const clean = (part: string): string =>
  part
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, maxLength);

/** `owner/name` of an owner and a name; null if the name has no usable character. */
const joined = (owner: string, name: string): string | null =>
  clean(name) === '' ? null : `${clean(owner) || unknownOwner}/${clean(name)}`;

/** Whether a text is `owner/name`, with the characters that GitHub allows. */
export const isRepoName = (text: string): boolean => {
  const [owner = '', name = '', ...more] = text.split('/');
  return more.length === 0 && joined(owner, name) === text;
};

/**
 * The repository that a text of a report names: a URL, a package URL, an image such as
 * `ghcr.io/acme/web:1.2`, a path such as `/home/dana/web`, or the name of a project. Null if it names none,
 * as `.` does.
 */
export const repoNameFrom = (text: string): string | null => {
  const trimmed = text.trim().slice(0, 1000);
  const purl = packageFromPurl(trimmed);
  const [, urlPath] = /^(?:[a-z+]+:\/\/[^/]+\/|git@[^:]+:)(.+)$/i.exec(trimmed) ?? [];
  const path = (purl?.name ?? urlPath ?? trimmed)
    .replace(/[?#].*$/s, '')
    .replace(/\.git\/?$/, '')
    .replace(/@sha256:.*$/s, '');
  const isPath = purl === null && urlPath === undefined && /^(?:[./~\\]|[A-Za-z]:[\\/])/.test(path);
  const parts = path.split(isPath ? /[\\/]+/ : '/').filter((part) => clean(part) !== '');
  // The first part of an image is its registry if it has a dot or a port.
  const named =
    !isPath && urlPath === undefined && parts.length > 1 && /[.:]/.test(parts[0] ?? '')
      ? parts.slice(1)
      : parts;
  const last =
    purl === null && urlPath === undefined && !isPath ? withoutTag(named.at(-1) ?? '') : (named.at(-1) ?? '');
  if (urlPath !== undefined) return joined(named[0] ?? '', named.length > 1 ? (named[1] ?? '') : '');
  return joined(isPath ? '' : (named.at(-2) ?? ''), last);
};

const withoutTag = (name: string): string => name.replace(/:[^:]*$/, '');

/** The repository for a file of this name, of a report that names none. */
export const repoNameOfFile = (file: string): string => {
  const base = file.split(/[\\/]/).at(-1) ?? '';
  return (
    joined('', base.replace(/(?:\.json|\.sarif|\.jsonl|\.ndjson|\.txt|\.cdx|\.vex)+$/i, '')) ??
    `${unknownOwner}/report`
  );
};
