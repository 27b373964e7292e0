/** A text that the build has made a module of, so that it can be bundled. */
declare module '*.text.js' {
  const text: string;
  export default text;
}
