import type { Severity } from '../../contract/enums.js';
import { type Html, html } from '../html.js';

/** Severities, the worst first. */
export const severities = ['critical', 'high', 'medium', 'low'] as const satisfies readonly Severity[];

/** A severity as a word, with as many filled squares as it is severe, so that it does not depend on color. */
export const severityMark = (severity: Severity): Html => {
  const filled = severities.length - severities.indexOf(severity);
  return html`<span class="severity severity-${severity}"><svg width="30" height="9" aria-hidden="true">${severities.map(
    (_, index) =>
      html`<rect x="${8 * index + 0.5}" y="1.5" width="6" height="6" class="${index < filled ? 'filled' : 'open'}"/>`,
  )}</svg>${severity}</span>`;
};

/** A word for a state, set apart from text. */
export const stateMark = (state: string | null): Html =>
  state === null
    ? html`<span class="state none">null</span>`
    : html`<span class="state"><bdi>${state === '' ? 'empty' : state}</bdi></span>`;
