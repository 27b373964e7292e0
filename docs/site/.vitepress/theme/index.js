import theme from 'vitepress/theme';
import './front-page.css';

export default theme;
