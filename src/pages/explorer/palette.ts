/** Colors of series, in their order, on each ground. */
export type Palette = Readonly<{ ground: string; series: readonly string[] }>;

/**
 * The colors of charts. Each has a contrast of at least 3:1 to the ground, and the four remain distinct for
 * people who cannot see red, green or blue, and in grey: a test computes both. The set was found by a search,
 * because published palettes such as that of Okabe and Ito have colors too pale for a white ground.
 */
export const palettes = {
  light: { ground: '#ffffff', series: ['#154db8', '#d28107', '#5d1655', '#35826c'] },
  dark: { ground: '#1d2226', series: ['#29c6fd', '#ea7b02', '#b7459e', '#d1ebe7'] },
} as const satisfies Readonly<Record<string, Palette>>;

const variables = ({ series }: Palette): string =>
  series.map((color, index) => `--series-${index + 1}: ${color};`).join(' ');

/** The colors as custom properties, for screens, paper, and users who have chosen colors of their own. */
export const paletteStyles = `
:root { ${variables(palettes.light)} }
@media screen and (prefers-color-scheme: dark) { :root { ${variables(palettes.dark)} } }
@media (forced-colors: active) {
  :root { --series-1: LinkText; --series-2: GrayText; --series-3: CanvasText; --series-4: Highlight; }
}
${palettes.light.series.map((_, index) => `.series-${index + 1} { fill: var(--series-${index + 1}); }`).join('\n')}
`;
