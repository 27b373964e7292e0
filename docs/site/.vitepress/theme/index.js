import theme from 'vitepress/theme';
import './front-page.css';
import './pages.css';

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
    context.router.onAfterRouteChange = markMain;
  },
};
