import type { Mutation } from './_mutation.js';

/** A server with one mistake: its name, its behavior, and the checks that it must fail. */
export type Mutant = readonly [name: string, mutation: Mutation, ...fails: readonly string[]];
