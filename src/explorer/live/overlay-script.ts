/**
 * `overlay.show(problems)` shows what is wrong with changed fixtures in a dialog, with the lines of the
 * files; `null` closes it. Problems that a visitor has closed are not shown again; the notice leads back to
 * them. All text is set as text, never as markup.
 */
export const overlayScript = `
const overlay = (() => {
  const close = element('button', { type: 'button', autofocus: '' }, 'Close');
  const summary = element('p', { class: 'summary', role: 'status' });
  const list = element('ol');
  const dialog = element(
    'dialog',
    { class: 'overlay', 'aria-labelledby': 'overlay-title', [own]: '' },
    element('div', { class: 'bar' }, element('h2', { id: 'overlay-title' }, 'The changed fixtures are invalid'), close),
    summary,
    list,
    element('p', { class: 'hint' }, 'This closes when the files are valid again. Press Escape to close it now.'),
  );
  document.body.append(dialog);
  let shown = 'null';
  close.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    if (shown !== 'null') say('broken');
  });

  const item = ({ message, place, frame }) => {
    const parts = [];
    if (place !== null) {
      const { file, line, column } = place;
      parts.push(element('p', { class: 'where' }, element('code', {}, element('bdi', {}, file), ':' + line + ':' + column)));
    }
    parts.push(element('p', { class: 'what' }, element('bdi', {}, message)));
    if (frame !== null) {
      const name = 'Lines around ' + place.file + ':' + place.line + ':' + place.column;
      const lines = frame.split('\\n').map((line, index) => {
        const text = (index === 0 ? '' : '\\n') + line;
        return /^>|^ +\\| *\\^$/.test(line) ? element('strong', {}, text) : text;
      });
      parts.push(element('pre', { tabindex: '0', role: 'group', 'aria-label': name, dir: 'ltr' }, ...lines));
    }
    return element('li', {}, ...parts);
  };

  const open = () => {
    if (!dialog.open) dialog.showModal();
    say(null);
  };
  return {
    open,
    isPutAside: () => shown !== 'null' && !dialog.open,
    show: (problems) => {
      const next = JSON.stringify(problems);
      if (next === shown) return;
      shown = next;
      if (problems === null) {
        dialog.close();
        if (said === 'broken') say(null);
        return;
      }
      const { total, first } = problems;
      const count = total === 1 ? '1 problem' : total.toLocaleString('en-US') + ' problems';
      const rest = total > first.length ? ' The first ' + first.length + ' are below; the log has all of them.' : '';
      summary.textContent = count + '. The previous fixtures are still served.' + rest;
      list.replaceChildren(...first.map(item));
      open();
    },
  };
})();
`;
