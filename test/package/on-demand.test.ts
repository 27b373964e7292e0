import { createRequire } from 'node:module';
import { compileFunction } from 'node:vm';
import test from 'ava';
import { onDemand } from '../../scripts/bundle.js';

const own = createRequire(import.meta.url);

/** The media types of Koa, and those of the packages that it uses. */
const modules = ['koa', 'accepts'].map((name) => createRequire(own.resolve(name)).resolve('mime-types'));

for (const [index, path] of modules.entries()) {
  test(`media types that are read on demand are the same: ${index + 1}`, async (t) => {
    const code = await onDemand(path);
    let required = 0;
    const exports: Record<string, unknown> = {};
    const requireCounted = (name: string): unknown => {
      required += 1;
      return createRequire(path)(name);
    };
    compileFunction(code, ['exports', 'require'])(exports, requireCounted);
    const { contentType } = exports;
    t.is(required, 0);
    const expected = Object(own(path));
    for (const name of ['json', 'html', '.css', 'text/html', 'image/png', 'unknown', 'charset=x'])
      t.deepEqual(typeof contentType === 'function' && contentType(name), expected.contentType(name));
    t.true(required > 0);
    t.deepEqual(Object.keys(exports), Object.keys(expected));
    t.deepEqual(exports.types, expected.types);
  });
}
