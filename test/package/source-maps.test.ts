import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import test from 'ava';
import * as t from 'io-ts';
import { node, projectWith } from '../_package.js';

const SourceMap = t.type({ sources: t.array(t.string) });

/** The paths of all files in a folder, with slashes. */
const filesIn = async (folder: string): Promise<ReadonlySet<string>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return new Set(
    files.map(({ parentPath, name }) =>
      join(parentPath, name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    ),
  );
};

test('every source map that a packed file names is packed, and so are the sources that it names', async (t) => {
  const folder = join(await projectWith(t, {}), 'node_modules/triage-api');
  const files = await filesIn(folder);
  const named = new Set<string>();
  for (const file of files) {
    if (!/\.(?:[cm]?js|css|ts)$/.test(file)) continue;
    const text = await readFile(join(folder, file), 'utf8');
    for (const [, url = ''] of text.matchAll(/^\/[/*]# sourceMappingURL=(\S+?)(?:\s*\*\/)?$/gm)) {
      named.add(posix.join(posix.dirname(file), url));
    }
  }
  const maps = [...files].filter((file) => file.endsWith('.map'));
  t.true(maps.length > 100);
  t.deepEqual([...named].sort(), maps.sort());
  const missing = [];
  for (const map of maps) {
    const content: unknown = JSON.parse(await readFile(join(folder, map), 'utf8'));
    const sources = SourceMap.is(content) ? content.sources : ['no sources'];
    missing.push(...sources.filter((source) => !files.has(posix.join(posix.dirname(map), source))));
  }
  t.deepEqual(missing, []);
});

/** Prints where the program is when it writes its first line. */
const probe = `
const { write } = process.stdout;
process.stdout.write = (...words) => {
  process.stdout.write = write;
  return process.stdout.write(new Error().stack + '\\n') && process.stdout.write(...words);
};
`;

/** Throws inside of a module of the package. */
const throwing = `
import { startTriageApi } from 'triage-api';
await startTriageApi({ fixtures: 'missing.json' }).catch((error) => console.log(error.stack));
`;

/** The files of the package that a stack trace names, relative to the package. */
const filesOfTrace = (trace: string): readonly string[] =>
  Array.from(
    trace.replaceAll('\\', '/').matchAll(/^ +at .*\/node_modules\/triage-api\/([^\s():]+):\d+:\d+\)?$/gm),
    ([, file = '']) => file,
  );

for (const options of [[], ['--enable-source-maps']]) {
  test(`stack traces name files that are packed: node ${options.join(' ')}`, async (t) => {
    const project = await projectWith(t, { 'probe.js': probe, 'throwing.js': throwing });
    const files = await filesIn(join(project, 'node_modules/triage-api'));
    const program = ['--import', './probe.js', 'node_modules/triage-api/bin/triage-api.js', 'check'];
    for (const words of [program, ['throwing.js']]) {
      const trace = await node(project, ...options, ...words);
      const named = filesOfTrace(trace);
      t.true(named.length > 1, trace);
      t.deepEqual(
        named.filter((file) => !files.has(file)),
        [],
      );
    }
  });
}
