/** Why a database cannot be distributed; the message says what to do. */
export class CitusRefused extends Error {}
