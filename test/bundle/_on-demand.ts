import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

/**
 * The code of a CommonJS module that runs another one when one of its exports is used for the first time.
 * Functions are wrapped, because some who import them take them out of the module at once.
 */
export const onDemand = async (path: string): Promise<string> => {
  const exported: unknown = createRequire(path)(path);
  const names = Object.entries(Object(exported)).map(
    ([name, value]) => [name, typeof value === 'function'] as const,
  );
  return `
    const define = (exports) => {${await readFile(path, 'utf8')}
    };
    let defined;
    const load = () => {
      if (defined === undefined) define((defined = {}));
      return defined;
    };
    for (const [name, isFunction] of ${JSON.stringify(names)}) {
      if (isFunction) exports[name] = (...args) => load()[name](...args);
      else Object.defineProperty(exports, name, { enumerable: true, get: () => load()[name] });
    }`;
};
