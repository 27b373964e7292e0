import { benchPages } from './pages.js';
import { benchState } from './state.js';

const tell = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

await benchState(tell);
await benchPages(tell);
