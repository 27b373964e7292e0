/** How many sessions a user may have at a time, in any storage; the oldest gives way to a new one. */
export const maxSessions = 500;

/** How many API tokens a user may have that hold. */
export const maxActiveApiTokens = 50;

/** How many a user may have in all; of those that hold no more, the oldest is forgotten first. */
export const maxApiTokens = 100;
