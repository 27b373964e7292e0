import type { Json } from '../codecs/json-value.js';

export type JsonObject = Readonly<{ [key: string]: Json }>;
