import * as t from 'io-ts';
import { optional } from '../../../contract/codecs/combinators.js';
import { Moment } from '../../settings/moment.js';
import type { OptionTexts } from '../../settings/options.js';
import { MemorySize, Milliseconds, Switch } from '../../settings/setting-codecs.js';

/** How the API answers, and whether pages show its data. */
export const ResponseSettings = t.strict(
  {
    now: optional(Moment),
    strict: Switch,
    delay: Milliseconds,
    jitter: Milliseconds,
    renderCache: MemorySize,
    compression: optional(Switch),
    explorer: Switch,
    open: Switch,
  },
  'ResponseSettings',
);

export const responseOptions: OptionTexts<keyof t.TypeOf<typeof ResponseSettings>> = {
  now: {
    flags: '--now <time>',
    variable: 'TRIAGE_NOW',
    description: 'freeze the clock at this time, such as 2026-11-20T12:00:00Z',
  },
  strict: {
    flags: '--strict',
    variable: 'TRIAGE_STRICT',
    fallback: false,
    negatable: 'ignore unknown query parameters',
    description: 'answer unknown query parameters with 400 instead of ignoring them with a warning',
  },
  delay: {
    flags: '-d, --delay <ms>',
    variable: 'TRIAGE_DELAY',
    fallback: '0',
    description: 'delay every API response by this many milliseconds',
  },
  jitter: {
    flags: '--jitter <ms>',
    variable: 'TRIAGE_JITTER',
    fallback: '0',
    description: 'delay every API response by a random extra of up to this many milliseconds',
  },
  explorer: {
    flags: '--explorer',
    variable: 'TRIAGE_EXPLORER',
    fallback: true,
    negatable: 'serve no pages that show the data',
    description: 'serve the explorer, pages that show the data, at /explore; on by default',
  },
  open: {
    flags: '--open',
    variable: 'TRIAGE_OPEN',
    fallback: false,
    negatable: 'open no browser',
    description: 'open the explorer in a browser or, without it, the start page',
  },
  renderCache: {
    flags: '--render-cache <size>',
    variable: 'TRIAGE_RENDER_CACHE',
    fallback: '256mb',
    description: 'memory for pages that have been rendered, to answer the same request faster; 0: none',
  },
  compression: {
    flags: '--compression',
    variable: 'TRIAGE_COMPRESSION',
    negatable: 'compress nothing',
    description:
      'compress JSON and assets for clients that accept br or gzip; on by default, except with --trust-proxy',
  },
};
