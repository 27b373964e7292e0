/** The most common passwords that are long enough to be accepted otherwise, in lower case. */
export const commonPasswords: ReadonlySet<string> = new Set(
  `
  password passwort passw0rd password1 password123 12345678 123456789 1234567890
  qwertyui qwertyuiop qwerty123 iloveyou sunshine princess football baseball
  letmein1 trustno1 welcome1 abcd1234 asdfghjkl changeme superman starwars
  whatever
  `
    .trim()
    .split(/\s+/),
);
