import { FitAddon } from '@xterm/addon-fit';
import { Terminal } from '@xterm/xterm';
import { leaveKeys } from './leave-keys.ts';
import type { Size } from './sessions.ts';
import { terminalColors } from './terminal-colors.ts';

const SCROLLBACK_LINES = 5_000;
const FONT_PX = 13;
/**
 * Sends another key to the shell, to end the key sequence that Escape began there; otherwise the next key
 * would be part of it.
 */
const ABORT = '\u0007';

interface ScreenOptions {
  /** The name of the input for a screen reader. */
  label: string;
  onInput(text: string): void;
  onSize(size: Size): void;
}

/** Draws a terminal into an element, and keeps it as large as the element. */
export function openScreen(element: HTMLElement, { label, onInput, onSize }: ScreenOptions) {
  Terminal.strings.promptLabel = label;
  const styles = getComputedStyle(document.documentElement);
  const terminal = new Terminal({
    fontFamily: styles.getPropertyValue('--font-mono'),
    fontSize: FONT_PX,
    scrollback: SCROLLBACK_LINES,
    minimumContrastRatio: 4.5,
    cursorBlink: false,
    theme: terminalColors(styles),
    // Output is untrusted, so a link in it is only text.
    linkHandler: { activate: () => {} },
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  const takes = leaveKeys();
  terminal.attachCustomKeyEventHandler((event) => {
    if (takes(event)) return true;
    onInput(ABORT);
    return false;
  });
  terminal.open(element);
  fit.fit();
  terminal.onData(onInput);
  terminal.onResize(({ cols, rows }) => onSize({ columns: cols, rows }));
  const watcher = new ResizeObserver(() => fit.fit());
  watcher.observe(element);
  return {
    terminal,
    size: (): Size => ({ columns: terminal.cols, rows: terminal.rows }),
    /** Resolves when the text is drawn; the caller then reads more output. */
    write: (text: string) => new Promise<void>((drawn) => terminal.write(text, drawn)),
    recolor() {
      terminal.options.theme = terminalColors(getComputedStyle(document.documentElement));
    },
    close() {
      watcher.disconnect();
      terminal.dispose();
    },
  };
}

export type Screen = ReturnType<typeof openScreen>;
