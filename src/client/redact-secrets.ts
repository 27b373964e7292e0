/** Takes secrets out of text. */
export type Redact = (text: string) => string;

/** Stands where a secret stood. */
export const redactedMark = '[secret]';

/**
 * Takes these secrets out, wherever in a text and however they are escaped in URLs. A server may send back what it was sent,
 * and reports are kept and passed on.
 */
export const secretRedactor = (secrets: readonly string[]): Redact => {
  const forms = secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .filter((form) => form !== '')
    // The longest first: one secret may be the beginning of another.
    .sort((l, r) => r.length - l.length);
  return (text) => forms.reduce((left, form) => left.replaceAll(form, redactedMark), text);
};
