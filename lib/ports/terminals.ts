import type { FolderMount } from './commands.ts';

/** Opens terminals on this host, each with a shell in the sandbox of commands. */
export interface Terminals {
  /**
   * Starts a shell with a terminal. It sees what a command sees (Commands), and ends with all its processes when it
   * exits, when `end` is called, and with the service. Throws NotConfigured if terminals can't run here, and
   * InvalidInput if `cwd` isn't a directory inside `writable`.
   */
  open(start: TerminalStart, listener: TerminalListener): Promise<Terminal>;
}

export interface TerminalSize {
  columns: number;
  rows: number;
}

export interface TerminalStart extends TerminalSize {
  /** Absolute; links resolved. */
  cwd: string;
  writable: string[];
  mounts: FolderMount[];
  /** Hosts that its programs may reach (Command). */
  hosts: string[];
}

export interface TerminalListener {
  /** Receives output until `MAX_UNREAD` characters weren't reported as read; then the terminal waits. */
  onOutput(text: string): void;
  /** Called once, after the last output. `exitCode` is null if the terminal was lost. */
  onEnd(exitCode: number | null): void;
}

/** Characters of output that a terminal sends before one of them is reported as read. */
export const MAX_UNREAD = 131_072;

export const TERMINAL_SIGNALS = ['INT', 'TERM', 'KILL'] as const;
export type TerminalSignal = (typeof TERMINAL_SIGNALS)[number];

export interface Terminal {
  /** Sends input. Drops input if a program doesn't read and too much is waiting. */
  write(text: string): void;
  resize(size: TerminalSize): void;
  /**
   * Signals the processes in the foreground, and after `killAfterMs` kills those of them that are left. Never kills the
   * shell itself.
   */
  signal(signal: TerminalSignal, killAfterMs?: number): void;
  /** Reports how many characters of the output were read. */
  read(characters: number): void;
  /** Kills the shell and all its processes. */
  end(): void;
}
