/** A secret under a name by which reports may speak of it. */
export type NamedSecret = Readonly<{ name: string; value: string }>;
