/** Replaces secrets in text. */
export type Redact = (text: string) => string;

/** Replaces a secret. */
export const redactedMark = '[secret]';

/**
 * Replaces these secrets wherever they occur in a text, also when escaped for a URL. A server may echo what
 * it was sent, and reports are stored and shared.
 */
export const secretRedactor = (secrets: readonly string[]): Redact => {
  const forms = secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .filter((form) => form !== '')
    // The longest first: one secret may be a prefix of another.
    .sort((l, r) => r.length - l.length);
  return (text) => forms.reduce((left, form) => left.replaceAll(form, redactedMark), text);
};

/** The maximum length of a value in a report, in characters. */
const maxValueLength = 200;

/** Truncates a value for a report. Redact it first: a truncated secret is not recognised. */
export const truncate = (text: string): string => {
  const characters = Array.from(text);
  return characters.length > maxValueLength ? `${characters.slice(0, maxValueLength).join('')}…` : text;
};
