/**
 * `say(kind)` shows a short notice in a corner, which screen readers read out when they have nothing else to
 * say: `updated` for a moment, `stopped`, `ended` or `broken` for as long as it holds, `null` for none.
 */
export const noticeScript = `
const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

const notice = element('div', { class: 'notice', role: 'status', [own]: '' });
document.body.append(notice);
let said = null;
let clearing;

const logInLink = () =>
  element('a', { href: '/login?next=' + encodeURIComponent(location.pathname + location.search) }, 'Log in');
const showButton = () => {
  const button = element('button', { type: 'button', class: 'quiet' }, 'Show the problems');
  button.addEventListener('click', () => overlay.open());
  return button;
};
const texts = {
  updated: () => ['Updated'],
  stopped: () => ['The server does not answer. This page updates when it does again.'],
  ended: () => ['Your session has ended. ', logInLink()],
  broken: () => ['The changed fixtures are invalid; the previous ones are shown. ', showButton()],
};

const say = (kind) => {
  if (kind === said) return;
  clearTimeout(clearing);
  said = kind;
  notice.replaceChildren(...(kind === null ? [] : texts[kind]()));
  if (kind === 'updated') clearing = setTimeout(() => say(overlay.isPutAside() ? 'broken' : null), 4000);
};
`;
