import { packageFromPurl } from './purl.js';

/** The owner of a repository of which only the name is known. */
export const unknownOwner = 'imported';

const maxLength = 100;

/** The name with the characters that GitHub allows; others become hyphens. Empty if nothing is left of it. */
const clean = (part: string): string => {
  const allowed = part.replaceAll(/[^\w.-]+/g, '-');
  const name = allowed === part ? part : allowed.replaceAll(/^-+|-+$/g, '');
  return /^[.-]*$/.test(name) ? '' : name.slice(0, maxLength);
};

/** `owner/name` of the last two parts that are names; null if there is none. */
const joined = (parts: readonly string[]): string | null => {
  const [name, owner] = parts
    .map(clean)
    .filter((part) => part !== '')
    .toReversed();
  return name === undefined ? null : `${owner ?? unknownOwner}/${name}`;
};

/** Whether a text is `owner/name`, with the characters that GitHub allows. */
export const isRepoName = (text: string): boolean => {
  const parts = text.split('/');
  return parts.length === 2 && joined(parts) === text;
};

/** A project or an image, whose first part is a registry if it has a dot or a port. */
const repoOfImage = (image: string): string | null => {
  const parts = image
    .replace(/@sha256:.*$/s, '')
    .replace(/:[^:/]*$/, '')
    .split('/');
  return joined(parts.length > 1 && /[.:]/.test(parts[0] ?? '') ? parts.slice(1) : parts);
};

const repoOfUrl = (path: string): string | null =>
  joined(
    path
      .replace(/[?#].*$/s, '')
      .split('/')
      .slice(0, 2)
      .map((part) => part.replace(/\.git$/, '')),
  );

const repoOfPath = (path: string): string | null =>
  joined(
    path
      .split(/[\\/]+/)
      .filter((part) => clean(part) !== '')
      .slice(-1),
  );

const maxTextLength = 1000;

/**
 * The repository that a text of a report names: a URL, a package URL, an image such as
 * `ghcr.io/acme/web:1.2`, a path such as `/home/dana/web`, or the name of a project. Null if it names none,
 * as `.` does.
 */
export const repoNameFrom = (text: string): string | null => {
  const trimmed = text
    .trim()
    .slice(0, maxTextLength)
    .replace(/^file:\/\//i, '');
  const purl = packageFromPurl(trimmed);
  if (purl !== null) return joined(purl.name.split(/[/:]/));
  const [, url] = /^(?:[a-z+]+:\/\/[^/]+\/|git@[^:]+:)(.+)$/is.exec(trimmed) ?? [];
  if (url !== undefined) return repoOfUrl(url);
  return /^(?:[./~\\]|[A-Za-z]:[\\/])/.test(trimmed) ? repoOfPath(trimmed) : repoOfImage(trimmed);
};

/** The repository for a file of this name, of a report that names none. */
export const repoNameOfFile = (file: string): string => {
  const base = (file.split(/[\\/]/).at(-1) ?? '').slice(0, maxTextLength);
  const name = base.replace(/(?:\.json|\.sarif|\.jsonl|\.ndjson|\.txt|\.cdx|\.vex)+$/i, '');
  return joined([name]) ?? `${unknownOwner}/report`;
};
