import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { transformSync } from 'esbuild';

/**
 * Makes build/assets, because the package has no sources: what pages load, each a module with the text, so that
 * programs for browsers can be bundled with it, and what is read as a file.
 */
const { resolve } = createRequire(import.meta.url);

mkdirSync('build/assets', { recursive: true });

const writeText = (name, text) =>
  writeFileSync(`build/assets/${name}.text.js`, `export default ${JSON.stringify(text)};\n`);

/** Without comments and white space: a page loads it, and a demo has it in its worker. */
const writeCode = (folder, name) => {
  const loader = extname(name) === '.css' ? 'css' : 'js';
  const { code } = transformSync(readFileSync(`${folder}/${name}`, 'utf8'), {
    loader,
    minifyWhitespace: true,
    charset: 'utf8',
  });
  writeText(name, code);
};

writeCode('src/demo', 'boot.js');
for (const name of readdirSync('src/pages')) if (/\.(?:css|js)$/.test(name)) writeCode('src/pages', name);
writeText('common-passwords.txt', readFileSync('src/accounts/common-passwords.txt', 'utf8'));
// None that is gone from the source may stay: a database would get it.
rmSync('build/assets/migrations', { recursive: true, force: true });
cpSync('src/postgres/migrations', 'build/assets/migrations', { recursive: true });

for (const name of ['swagger-ui-bundle.js.LICENSE.txt', 'LICENSE', 'NOTICE'])
  cpSync(resolve(`swagger-ui-dist/${name}`), `build/assets/${name}`);
for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
  const text = readFileSync(resolve(`swagger-ui-dist/${name}`), 'utf8');
  // The source map that it names is not there.
  writeText(name, text.replace(/\/\*# sourceMappingURL=.*?\*\//, ''));
}
