/** A character that is visible by itself, as a name needs one at the sign-up. */
const visible = /[^\p{C}\p{Z}\p{M}]/u;

/** What a page calls a user: the name or, if it would show nothing, the address. */
export const shownName = ({ name, email }: Readonly<{ name: string; email: string }>): string =>
  visible.test(name) ? name : email;
