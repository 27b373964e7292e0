/** A secret under a name by which reports may speak of it. */
export type Credential = Readonly<{ name: string; value: string }>;
