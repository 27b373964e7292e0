/** Where a request goes: a path with a query, and the host if the target is an absolute URL. */
export type RequestTarget = Readonly<{ path: string; authority: string | null }>;

const absolute = /^https?:\/\/([^/?]+)(.*)$/i;

/**
 * Reads a request target (RFC 9112, section 3.2). Null if it is none. No valid one contains `#`, a backslash
 * or anything but visible ASCII characters, and programs disagree about what such a target, or one that
 * begins with two slashes, stands for. What is valid is not rewritten, so that it means here what it meant to
 * a proxy.
 */
export const readTarget = (target: string): RequestTarget | null => {
  if (/[#\\]|[^!-~]/.test(target)) return null;
  if (target.startsWith('/') || target === '*') return unlessAmbiguous(target, null);
  const [, authority, rest = ''] = absolute.exec(target) ?? [];
  return authority === undefined
    ? null
    : unlessAmbiguous(rest.startsWith('/') ? rest : `/${rest}`, authority);
};

const unlessAmbiguous = (path: string, authority: string | null): RequestTarget | null =>
  path.startsWith('//') ? null : { path, authority };

/** The scheme, the slashes, and the name and the password before the host of a URL. */
const untilHost = /^(?:[a-z][a-z0-9+.-]*:)?\/*(?:[^/?#@]*@)?/i;

/**
 * A path that stands for a target that could not be read, shows what it was except for a password, and can be
 * read by everyone.
 */
export const harmlessPath = (target: string): string => {
  const [path = ''] = target.replace(untilHost, '').split('?');
  return `/${path.replace(/[^\w.~:@/-]/g, encodeURIComponent)}`;
};
