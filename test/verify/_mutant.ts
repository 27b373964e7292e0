import type { Mutation } from './_mutation.js';

/** A server with one mistake: what it does wrong, how, and checks that must fail for it. */
export type Mutant = readonly [name: string, mutation: Mutation, ...fails: readonly string[]];
