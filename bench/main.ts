import { benchPages } from './pages.js';

await benchPages((line) => process.stdout.write(`${line}\n`));
