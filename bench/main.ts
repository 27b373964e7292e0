import { benchPages } from './pages.js';
import { benchState } from './state.js';

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

await benchState(print);
await benchPages(print);
