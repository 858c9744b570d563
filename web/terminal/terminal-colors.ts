/**
 * The terminal's colors, by the names of the page's colors. `minimumContrastRatio` adapts the other colors.
 */
const NAMES = {
  background: 'surface',
  foreground: 'ink',
  cursor: 'accent',
  cursorAccent: 'surface',
  selectionBackground: 'mark',
  selectionForeground: 'on-mark',
  black: 'ink',
  red: 'danger',
  green: 'good',
  yellow: 'warn',
  cyan: 'accent',
  white: 'muted',
  brightBlack: 'muted',
  brightRed: 'danger',
  brightGreen: 'good',
  brightYellow: 'warn',
  brightCyan: 'accent',
  brightWhite: 'ink',
} as const;

/** The page has neither blue nor magenta. */
const OTHERS = { blue: '#4f83cc', magenta: '#a569bd', brightBlue: '#6a9be0', brightMagenta: '#bf86d6' };

/** A theme of xterm.js, without its types, which would add the browser's to programs that import this. */
type Theme = typeof OTHERS & { [Name in keyof typeof NAMES]?: string };

/** Returns the colors of the page as it is now. */
export function terminalColors(styles: { getPropertyValue(name: string): string }): Theme {
  const own = Object.entries(NAMES)
    .map(([name, color]) => [name, styles.getPropertyValue(`--${color}`).trim()] as const)
    .filter(([, value]) => value !== '');
  return { ...OTHERS, ...Object.fromEntries(own) };
}
