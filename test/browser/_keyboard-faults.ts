import type { Page } from 'playwright-core';

/** Notes in the page what gets the focus, and whether that can be seen. Returns the number of stops. */
const startNoting = `(() => {
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true });
  const stops = [...document.querySelectorAll(
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]')]
    .filter((element) => element.tabIndex >= 0 && !element.matches(':disabled') && isShown(element));
  const visits = [];
  const note = ({ target }) => {
    // The mark may be around the box of a card, which is a pseudo-element of its link.
    const isMarked = [undefined, '::before', '::after'].some((part) => {
      const { outlineStyle, outlineWidth, boxShadow, content } = getComputedStyle(target, part);
      if (part !== undefined && content === 'none') return false;
      return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) || boxShadow !== 'none';
    });
    const { left, top, right, bottom } = target.getBoundingClientRect();
    visits.push({
      target,
      isMarked,
      isInWindow: right > 0 && bottom > 0 && left < innerWidth && top < innerHeight,
    });
  };
  document.addEventListener('focusin', note);
  globalThis.notedFocus = { stops, visits };
  document.activeElement?.blur();
  window.getSelection()?.removeAllRanges();
  window.scrollTo(0, 0);
  return stops.length;
})()`;

const judge = `(() => {
  const { stops, visits } = globalThis.notedFocus;
  const name = (element) => element.localName + ' ' + JSON.stringify(
    (element.getAttribute('aria-label') ?? element.name ?? '') + ' ' + element.textContent.trim().slice(0, 30));
  const reached = new Set(visits.map(({ target }) => target));
  const first = visits.findIndex(({ target }, index) => index > 0 && target === visits[0].target);
  const round = first === -1 ? visits : visits.slice(0, first);
  // After the last stop comes the first one.
  const follows = (one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const last = round.map(({ target }) => target).reduce((one, other) => (follows(one, other) ? other : one), document.body);
  const faults = stops.filter((stop) => !reached.has(stop)).map((stop) => 'not reached: ' + name(stop));
  round.forEach(({ target, isMarked, isInWindow }, index) => {
    if (!isMarked) faults.push('the focus cannot be seen: ' + name(target));
    if (!isInWindow) faults.push('outside the window: ' + name(target));
    const before = round[index - 1]?.target;
    if (before !== undefined && !(before === last && target === stops[0]) && !follows(before, target)) {
      faults.push('out of order: ' + name(target) + ' after ' + name(before));
    }
  });
  return faults.slice(0, 20);
})()`;

/** More stops than there are controls: Chromium also stops at boxes that scroll. */
const boxesThatScroll = 12;

/**
 * What is wrong with a page for somebody who uses the Tab key only: controls that are not reached, or out of
 * order, and a focus that cannot be seen.
 */
export const keyboardFaults = async (page: Page): Promise<readonly string[]> => {
  const stops = await page.evaluate<number>(startNoting);
  for (let presses = 0; presses < stops + boxesThatScroll; presses += 1) await page.keyboard.press('Tab');
  return page.evaluate(judge);
};
