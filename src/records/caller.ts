/** The tenant on whose behalf a request acts: everything it reads belongs to this user (contract, section 5). */
export type Caller = Readonly<{ userId: string }>;
