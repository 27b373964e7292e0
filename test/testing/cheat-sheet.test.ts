import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { block, documentText } from '../_documented.js';
import { throughBothDoors } from './_doors.js';

/** What a page sees afterwards: the statuses of requests, or the first field that tells. */
const effects: readonly (readonly [path: string, seen: readonly (number | string)[]])[] = [
  ['/api/v1/prs', [503, 503, 503, 200]],
  ['', ['{"delay":800}']],
  ['', ['{"operation":"listPrs","kind":"hold"}']],
  ['/api/v1/repos', [401]],
  ['/api/v1/prs', ['{"items":[],"page":1,"limit":25,"totalItems":0,"totalPages":0}']],
  ['/api/v1/repos', ['<!doctype html>']],
  ['/api/v1/repos', [429, 429]],
  ['/api/v1/repos', ['broken']],
  ['/api/v1/findings?limit=1', ['null', 'data']],
  ['/api/v1/repos', ['clock']],
];

test(
  'the ten lines of the cheat sheet do what they say, and a reset undoes each',
  throughBothDoors(async (t, { controls, ask }) => {
    const folder = await mkdtemp(join(tmpdir(), 'triage-api-cheat-sheet-'));
    t.teardown(() => rm(folder, { recursive: true, force: true }));
    const pairs = block(documentText('cheat-sheet.md'), 'js').trim().split('\n\n');
    t.is(pairs.length, 10);
    for (const [i, pair] of pairs.entries()) {
      t.regex(pair, /^\/\/ .*\n.*;$/);
      const file = join(folder, `${i}.mjs`);
      await writeFile(file, `export default async (api) => {\n${pair}\n};`);
      const { default: run }: { default: (api: unknown) => Promise<void> } = await import(
        pathToFileURL(file).href
      );
      await run(controls);
      const [path, seen] = effects[i] ?? ['', []];
      for (const expected of seen) {
        if (path === '') {
          const [{ id: _, matched: __, applied: ___, ...rule } = { id: '', matched: 0, applied: 0 }] =
            controls.faults.list();
          t.is(JSON.stringify(rule), String(expected));
          continue;
        }
        const answer = await ask(path);
        const text = await answer.text().catch(() => 'broken');
        const simulated = String(answer.headers.get('x-triage-simulated'));
        t.true([answer.status, text, simulated].includes(expected), `${pair}: ${text}`);
      }
      await controls.reset();
      t.is((await ask('/api/v1/repos')).headers.get('x-triage-simulated'), null);
    }
  }),
);
