import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Copies what the program reads as files to build/assets, because the package has no sources. */
const { resolve } = createRequire(import.meta.url);

for (const name of readdirSync('src/web'))
  if (/\.(?:css|js)$/.test(name)) cpSync(`src/web/${name}`, `build/assets/${name}`);
// None that is gone from the source may stay: a database would get it.
rmSync('build/assets/migrations', { recursive: true, force: true });
cpSync('src/storage/postgres/migrations', 'build/assets/migrations', { recursive: true });

for (const name of ['swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'LICENSE', 'NOTICE'])
  cpSync(resolve(`swagger-ui-dist/${name}`), `build/assets/${name}`);
// The source map that it names is not there.
const css = readFileSync(resolve('swagger-ui-dist/swagger-ui.css'), 'utf8');
writeFileSync('build/assets/swagger-ui.css', css.replace(/\/\*# sourceMappingURL=.*?\*\//, ''));
