import { digest } from './digest.js';

/** The longest name that ids and secrets are made of as it is. */
const maxLength = 64;

/** What a session value, a token and an id may all contain. */
const others = /[^A-Za-z0-9._~-]+/g;

/**
 * The name of a tenant as a part of ids and secrets. It is the name itself if all of its characters may stand
 * there; otherwise a digest of the name keeps it different from other names.
 */
export const handleOf = (name: string): string => {
  const allowed = name.replaceAll(others, '-').slice(0, maxLength);
  return allowed === name && name !== '' ? name : `${allowed || 'tenant'}-${digest(name).slice(0, 6)}`;
};

/** The same in lower case, for an e-mail address: addresses are compared without regard to case. */
export const hostOf = (name: string): string => {
  const handle = handleOf(name)
    .replaceAll(/[._~-]+/g, '-')
    .toLowerCase();
  return handle === name ? handle : `${handle}-${digest(name).slice(0, 6)}`;
};

/** The name as people are shown it: `web-team` becomes "Web Team". */
export const titleOf = (name: string): string => {
  const words = handleOf(name)
    .split(/[._~-]+/)
    .filter((word) => word !== '');
  return words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join(' ') || name;
};
