/**
 * The user whose credentials a request presents. Everything it reads belongs to this user (contract, section
 * 5).
 */
export type Caller = Readonly<{ userId: string }>;
