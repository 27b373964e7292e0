import test from 'ava';
import { limitConcurrency, limitPerKey } from '../../src/common/concurrency.js';

/** Lets everything run that waits for nothing but its turn. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Tasks that end on demand, and the names of those that have begun. */
const tasks = () => {
  const begun: string[] = [];
  const end = new Map<string, () => void>();
  const task = (name: string) => (): Promise<string> => {
    begun.push(name);
    return new Promise((resolve) => end.set(name, () => resolve(name)));
  };
  return { task, begun, end: (name: string): void => end.get(name)?.() };
};

test('tasks begin in their order, as many at once as the limit allows', async (t) => {
  const limited = limitConcurrency(2);
  const { task, begun, end } = tasks();
  const results = ['a', 'b', 'c', 'd'].map((name) => limited(task(name)));
  await turn();
  t.deepEqual(begun, ['a', 'b']);
  end('b');
  await turn();
  t.deepEqual(begun, ['a', 'b', 'c']);
  end('a');
  end('c');
  await turn();
  end('d');
  t.deepEqual(await Promise.all(results), ['a', 'b', 'c', 'd']);
});

test('a task that fails lets the next one start', async (t) => {
  const limited = limitConcurrency(1);
  await t.throwsAsync(() => limited(() => Promise.reject(new Error('failed'))), { message: 'failed' });
  const { task, begun, end } = tasks();
  for (const name of ['a', 'b']) {
    const result = limited(task(name));
    await turn();
    end(name);
    t.is(await result, name);
  }
  t.deepEqual(begun, ['a', 'b']);
});

test('a task that comes when a place becomes free does not overtake one that waits', async (t) => {
  const limited = limitConcurrency(1);
  const { task, begun, end } = tasks();
  const first = limited(task('a'));
  const waiting = limited(task('b'));
  const late = first.then(() => limited(task('c')));
  await turn();
  end('a');
  await turn();
  t.deepEqual(begun, ['a', 'b']);
  end('b');
  await turn();
  end('c');
  t.deepEqual(await Promise.all([waiting, late]), ['b', 'c']);
});

test('tasks wait for those of their own key alone, also after one has failed', async (t) => {
  const limited = limitPerKey(1);
  const { task, begun, end } = tasks();
  const failed = limited('x', () => Promise.reject(new Error('failed')));
  const results = ['xa', 'xb', 'ya'].map((name) => limited(name.slice(0, 1), task(name)));
  await t.throwsAsync(failed, { message: 'failed' });
  await turn();
  t.deepEqual(begun.toSorted(), ['xa', 'ya']);
  for (const name of ['xa', 'ya', 'xb']) {
    end(name);
    await turn();
  }
  t.deepEqual(await Promise.all(results), ['xa', 'xb', 'ya']);
});
