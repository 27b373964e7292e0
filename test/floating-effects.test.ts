import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { floatingEffects } from './_floating-effects.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

test('no statement drops a promise, or a task that never runs', (t) => {
  t.deepEqual(floatingEffects(root, join(root, 'tsconfig.json')), []);
});

test('statements that drop a promise or a task are found', async (t) => {
  // Inside of the project, the packages that the program imports are found.
  await mkdir(join(root, 'build'), { recursive: true });
  const directory = await mkdtemp(join(root, 'build', 'floating-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const compilerOptions = { strict: true, module: 'nodenext', target: 'es2023', types: [], noEmit: true };
  await writeFile(
    join(directory, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['wrong.mts'] }),
  );
  await writeFile(
    join(directory, 'wrong.mts'),
    `import * as T from 'fp-ts/lib/Task.js';
     import * as TE from 'fp-ts/lib/TaskEither.js';
     declare const save: (id: string) => TE.TaskEither<string, void>;
     declare const send: () => Promise<void>;
     declare const maybe: Promise<void> | undefined;
     declare const callback: () => void;
     let later: Promise<void> | undefined;
     save('a');
     TE.right(1);
     T.of(1);
     send();
     send().then(callback);
     send;
     maybe;
     save('b')().finally(callback);
     later ? send() : undefined;
     await save('c')();
     send().catch(callback);
     send().then(callback, callback).finally(callback);
     await send();
     void send();
     later = send();
     later ??= send();
     callback();
     export const good = save('d');`,
  );
  const found = floatingEffects(directory, join(directory, 'tsconfig.json'));
  t.deepEqual(found, [
    "wrong.mts: save('a')",
    'wrong.mts: TE.right(1)',
    'wrong.mts: T.of(1)',
    'wrong.mts: send()',
    'wrong.mts: send().then(callback)',
    'wrong.mts: send',
    'wrong.mts: maybe',
    "wrong.mts: save('b')().finally(callback)",
    'wrong.mts: later ? send() : undefined',
  ]);
});
