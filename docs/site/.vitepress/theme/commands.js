/** The commands of a console without `$` and what they print; one goes on after a backslash at the end of a line. */
export const commandsOf = (text) =>
  Array.from(text.matchAll(/^\$ ((?:.*\\\n)*.*)$/gm), ([, command]) => command).join('\n');
