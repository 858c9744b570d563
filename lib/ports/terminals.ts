import type { FolderMount } from './commands.ts';

/** Opens terminals on this host, each with a shell in the sandbox of commands. */
export interface Terminals {
  /**
   * Starts a shell with a terminal. It sees what a command sees (Commands), and ends with all its processes
   * when it exits, when `end` is called, or when the service ends. Throws NotConfigured if terminals can't
   * run here, and InvalidInput if `cwd` isn't a directory inside `writable`.
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
  /** Host names that its programs may reach, as in Command. */
  hosts: string[];
}

export interface TerminalListener {
  /** Receives output. While `MAX_UNREAD` characters haven't been reported as read, the terminal waits. */
  onOutput(text: string): void;
  /** Called once, after the last output. `exitCode` is null if the terminal was lost. */
  onEnd(exitCode: number | null): void;
}

/** Maximum characters of output that may be unread before the terminal waits. */
export const MAX_UNREAD = 131_072;

export const TERMINAL_SIGNALS = ['INT', 'TERM', 'KILL'] as const;
export type TerminalSignal = (typeof TERMINAL_SIGNALS)[number];

export interface Terminal {
  /** Sends input. Drops it if the program doesn't read and too much input is waiting. */
  write(text: string): void;
  resize(size: TerminalSize): void;
  /**
   * Signals the processes in the foreground. After `killAfterMs`, kills those that haven't ended. Never kills
   * the shell itself.
   */
  signal(signal: TerminalSignal, killAfterMs?: number): void;
  /** Reports how many characters of the output were read. */
  read(characters: number): void;
  /** Kills the shell and all its processes. */
  end(): void;
}
