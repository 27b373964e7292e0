import theme from 'vitepress/theme';
import './front-page.css';
import './pages.css';
import { commandsOf } from './commands.js';

/** Of a console, the button copies the commands alone. */
const copyCommands = (event) => {
  const block = event.target.closest('.language-console');
  if (block === null || !event.target.matches('button.copy')) return;
  event.stopPropagation();
  const text = commandsOf(block.querySelector('code').textContent);
  navigator.clipboard.writeText(text).then(() => {
    event.target.classList.add('copied');
    setTimeout(() => event.target.classList.remove('copied'), 2000);
  });
};

/** The front page has no main landmark of its own, also when a link leads to it. */
const markMain = () =>
  setTimeout(() => {
    const content = document.querySelector('#VPContent');
    if (content?.classList.contains('is-home')) content.setAttribute('role', 'main');
    else content?.removeAttribute('role');
  });

export default {
  ...theme,
  enhanceApp: (context) => {
    theme.enhanceApp?.(context);
    if (import.meta.env.SSR) return;
    window.addEventListener('click', copyCommands, true);
    context.router.onAfterRouteChange = markMain;
  },
};
