/**
 * The maximum number of sessions per user, in every storage. A new session above it ends the oldest of the
 * same origin or, if there is none, the oldest of all.
 */
export const maxSessions = 500;

/** The maximum number of active API tokens per user. */
export const maxActiveApiTokens = 50;

/** The maximum number of API tokens per user in any state. Above it, the oldest inactive one is deleted. */
export const maxApiTokens = 100;
