import type { Json } from '../contract/codecs/json-value.js';

export type JsonObject = Readonly<{ [key: string]: Json }>;
