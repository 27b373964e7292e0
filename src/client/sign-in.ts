import * as t from 'io-ts';

/** Whoever is signed in, as the flows of accounts show it (docs/accounts.md). */
export const SignedInUser = t.strict({ id: t.string, email: t.string, name: t.string }, 'SignedInUser');
export type SignedInUser = t.TypeOf<typeof SignedInUser>;

/** The answer to a login and a sign-up. */
export const SignedIn = t.strict({ user: SignedInUser }, 'SignedIn');

/** Who is signed in, and until when: a timestamp. */
export const CurrentSession = t.strict({ user: SignedInUser, expiresAt: t.string }, 'CurrentSession');
export type CurrentSession = t.TypeOf<typeof CurrentSession>;

export type LogInForm = Readonly<{ email: string; password: string }>;

/** `account`: the id or the e-mail address of a demo account. */
export type DemoLogInForm = Readonly<{ account: string }>;

/** `persona`: the data that the account starts with, where visitors may choose. */
export type SignUpForm = LogInForm & Readonly<{ name: string; persona?: string | undefined }>;

/**
 * The value of a cookie in `Set-Cookie` headers: undefined if they do not set it, null if they remove it.
 * Browsers keep cookies themselves, and show no such header.
 */
export const cookieIn = (setCookies: readonly string[], name: string): string | null | undefined => {
  for (const cookie of setCookies.toReversed()) {
    const [pair = '', ...attributes] = cookie.split(';');
    const value = pair.startsWith(`${name}=`) ? pair.slice(name.length + 1) : undefined;
    if (value === undefined) continue;
    return value === '' || attributes.some((each) => /^\s*max-age=0\s*$/i.test(each)) ? null : value;
  }
  return undefined;
};
