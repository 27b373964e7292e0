import { type Html, html } from './html.js';

/** An address as long as this fits into a line of the narrowest screen. */
const shortLength = 24;

/**
 * An e-mail address, which is kept in one line where there is room. A longer one may break after `@` and
 * dots, and inside of a word only if the word alone is longer than a line. `before` and `after` are signs
 * that stay beside it.
 */
export const emailAddress = (address: string, before = '', after = ''): Html =>
  html`<span class="email">${before}<bdi>${
    address.length <= shortLength ? address : breakable(address)
  }</bdi>${after}</span>`;

const breakable = (address: string): readonly Html[] =>
  address.split(/(?<=[@.])/).map((part) => html`<span>${part}</span>`);
