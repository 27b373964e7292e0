#!/usr/bin/env node
import { main } from '../build/src/cli/main.js';

await main(process);
