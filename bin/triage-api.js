#!/usr/bin/env node
import { main } from '../build/bin/triage-api.js';

await main(process);
