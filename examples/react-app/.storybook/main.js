export default {
  framework: '@storybook/react-vite',
  stories: ['../src/**/*.stories.jsx'],
  staticDirs: ['../public'],
};
