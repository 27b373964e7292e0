import type { Clock } from '../common/clock.js';
import type { KeptCookie } from './kept-state.js';

/** The cookies of a demo, as a service worker sets none. `machine`: the clock by which they expire. */
export const cookieJar = (kept: readonly KeptCookie[], machine: Clock) => {
  let cookies = kept;
  const isOver = ({ until }: KeptCookie): boolean => until <= machine();
  const isBelow = (path: string, above: string): boolean =>
    path === above || path.startsWith(above.endsWith('/') ? above : `${above}/`);
  return {
    all: (): readonly KeptCookie[] => cookies,
    cookiesFor: (path: string): ReadonlyMap<string, string> => {
      const sent = cookies.filter((cookie) => !isOver(cookie) && isBelow(path, cookie.path));
      return new Map(sent.map(({ name, value }) => [name, value]));
    },
    /** Takes the value of a header `Set-Cookie` of this service. */
    set: (line: string): void => {
      const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? [];
      const path = /; path=([^;]*)/.exec(line)?.[1] ?? '/';
      const seconds = Number(/; max-age=(\d+)/.exec(line)?.[1] ?? 0);
      const others = cookies.filter((other) => !(other.name === name && other.path === path));
      const set = { name, value, path, until: machine() + seconds * 1000 };
      cookies = [...others, set].filter((cookie) => !isOver(cookie));
    },
  };
};
