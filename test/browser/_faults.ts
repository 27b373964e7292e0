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
    // The ring must not be cut off by a box around it that does not let it out.
    const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(target);
    const ring = outlineStyle === 'none' ? 0 : parseFloat(outlineWidth) + parseFloat(outlineOffset) - 0.6;
    let clip = target.parentElement;
    while (clip !== null && clip !== document.body) {
      const { overflowX, overflowY } = getComputedStyle(clip);
      const box = clip.getBoundingClientRect();
      if (overflowX !== 'visible' && (left - ring < box.left || right + ring > box.right)) break;
      if (overflowY !== 'visible' && (top - ring < box.top || bottom + ring > box.bottom)) break;
      clip = clip.parentElement;
    }
    visits.push({
      cutBy: clip === document.body ? null : clip,
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

const judgeFocus = `(() => {
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
  round.forEach(({ target, isMarked, isInWindow, cutBy }, index) => {
    if (cutBy !== null) faults.push('the ring is cut off: ' + name(target) + ' by ' + cutBy.className);
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
  return page.evaluate(judgeFocus);
};

/**
 * Finds what is wrong with the layout of a page, from the rectangles of its text and controls. It runs in the
 * page, in an isolated world, so that it works where the page allows no script.
 */
const findLayoutFaults = `(() => {
  const faults = [];
  const name = (element) => {
    const id = element.id ? '#' + element.id : '';
    const classes = typeof element.className === 'string' && element.className ? '.' + element.className.trim().split(/\\s+/).join('.') : '';
    return element.localName + id + classes;
  };
  const excerpt = (text) => JSON.stringify(text.trim().replaceAll(/\\s+/g, ' ').slice(0, 40));
  const styles = new Map();
  const style = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };
  // Text for screen readers only, and links that appear when they have the focus.
  const isUnseen = (element) => {
    for (let each = element; each !== null; each = each.parentElement) {
      if (style(each).clipPath === 'inset(50%)' || each.matches('.skip:not(:focus)')) return true;
    }
    return false;
  };
  const isShown = (element) =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true })
    && !isUnseen(element);

  // What cuts off an element: the boxes of its ancestors that do not let content out. A box that scrolls
  // hides nothing for good; a box that ends a line with an ellipsis says that it does.
  const known = new Map();
  const clipsOf = (element) => {
    if (known.has(element)) return known.get(element);
    const clips = [];
    known.set(element, clips);
    for (let each = element; each !== null && each !== document.body; each = each.parentElement) {
      const { overflowX, overflowY, textOverflow, position } = style(each);
      if (overflowX !== 'visible' || overflowY !== 'visible') {
        clips.push({
          element: each,
          box: each.getBoundingClientRect(),
          cutsX: /hidden|clip/.test(overflowX) && textOverflow !== 'ellipsis',
          cutsY: /hidden|clip/.test(overflowY),
          scrolls: /auto|scroll/.test(overflowX + overflowY) || textOverflow === 'ellipsis',
        });
      }
      if (position === 'fixed') break;
    }
    return clips;
  };

  const pieces = [];
  const add = (owner, rect, text) => {
    if (rect.width < 1 || rect.height < 1) return;
    const clips = clipsOf(owner);
    let { left, top, right, bottom } = rect;
    for (const { element, box, cutsX, cutsY } of clips) {
      if (element === owner && text === null) continue;
      if (cutsX && (left < box.left - 1 || right > box.right + 1)) {
        faults.push('clipped: ' + excerpt(text ?? name(owner)) + ' by ' + name(element));
      } else if (cutsY && (top < box.top - 3 || bottom > box.bottom + 3)) {
        faults.push('clipped: ' + excerpt(text ?? name(owner)) + ' by ' + name(element));
      }
      left = Math.max(left, box.left);
      top = Math.max(top, box.top);
      right = Math.min(right, box.right);
      bottom = Math.min(bottom, box.bottom);
    }
    if (left >= right || top >= bottom) return;
    if (left < -1 || right > innerWidth + 1) faults.push('outside the window: ' + excerpt(text ?? name(owner)));
    // Text must not leave the box that it is in, unless that box lets it be scrolled.
    if (text !== null) {
      let box = owner;
      while (box.parentElement !== null && /^inline$|contents/.test(style(box).display)) box = box.parentElement;
      if (!(box instanceof SVGElement) && !clips.some(({ scrolls }) => scrolls)) {
        const around = box.getBoundingClientRect();
        // Where spaces are kept, the one at which a line breaks may hang out of the box.
        const slack = style(owner).whiteSpace === 'pre-wrap' ? parseFloat(style(owner).fontSize) : 1;
        if (left < around.left - slack || right > around.right + slack) {
          faults.push('out of its box: ' + excerpt(text) + ' of ' + name(box));
        }
      }
    }
    pieces.push({ owner, text, left, top, right, bottom });
  };

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const owner = node.parentElement;
    if (node.data.trim() === '' || /^(?:script|style|option|noscript|textarea)$/.test(owner.localName)) continue;
    if (!isShown(owner)) continue;
    if (owner instanceof SVGElement) {
      add(owner, owner.getBoundingClientRect(), node.data);
    } else {
      // Spaces at the end of a line may hang out of their box.
      range.setStart(node, node.data.search(/\\S/));
      range.setEnd(node, node.data.trimEnd().length);
      for (const rect of range.getClientRects()) add(owner, rect, node.data);
    }
  }
  for (const control of document.body.querySelectorAll('button, input:not([type=hidden]), select, textarea, img, summary')) {
    if (isShown(control)) add(control, control.getBoundingClientRect(), null);
  }

  // A select cuts off the option that it shows, unless it ends it with an ellipsis. What is cut off does not
  // count as its scrollWidth in every version of Chromium, so it is compared with one as wide as the option.
  for (const select of document.body.querySelectorAll('select')) {
    if (!isShown(select) || style(select).textOverflow === 'ellipsis') continue;
    const { width } = select.getBoundingClientRect();
    const { cssText } = select.style;
    select.style.cssText += '; position: absolute !important; min-width: 0 !important; max-width: none !important;'
      + 'width: max-content !important; field-sizing: content !important';
    const wanted = select.getBoundingClientRect().width;
    select.style.cssText = cssText;
    if (wanted > width + 1) {
      faults.push('clipped: ' + excerpt(select.selectedOptions[0]?.text ?? '') + ' by ' + name(select));
    }
  }

  // Letters are less high than their rectangles: lines may touch without anything being hard to read.
  const core = (piece) => {
    const slack = piece.text === null ? 1 : (piece.bottom - piece.top) * 0.2;
    return { ...piece, left: piece.left + 1, right: piece.right - 1, top: piece.top + slack, bottom: piece.bottom - slack };
  };
  const cores = pieces.map(core).sort((one, other) => one.top - other.top);
  const overlaps = new Set();
  for (let i = 0; i < cores.length; i += 1) {
    const one = cores[i];
    for (let j = i + 1; j < cores.length && cores[j].top < one.bottom; j += 1) {
      const other = cores[j];
      if (one.right <= other.left || other.right <= one.left) continue;
      if (one.owner === other.owner && one.text === other.text) continue;
      if ((one.text === null || other.text === null) && (one.owner.contains(other.owner) || other.owner.contains(one.owner))) continue;
      overlaps.add('overlap: ' + excerpt(one.text ?? name(one.owner)) + ' and ' + excerpt(other.text ?? name(other.owner)));
    }
  }

  const { scrollWidth } = document.documentElement;
  if (scrollWidth > innerWidth) faults.push('the page is ' + scrollWidth + ' pixels wide, the window ' + innerWidth);
  return [...new Set([...faults, ...overlaps])].slice(0, 20);
})()`;

/**
 * The faults of the layout of a page as it is in its window now: what sticks out, is cut off or covered. At
 * most 20, each as one line.
 */
export const layoutFaults = (page: Page): Promise<readonly string[]> => page.evaluate(findLayoutFaults);
