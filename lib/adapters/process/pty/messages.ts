import type { TerminalSignal, TerminalSize } from '../../../ports/terminals.ts';
import type { GroupBounds } from '../group-use.ts';
import type { Launch } from '../launch.ts';

/** Messages to the program that holds the terminals (program.ts). */
export type PtyRequest = { id: number } & (
  | { kind: 'open'; start: PtyStart }
  | { kind: 'write'; text: string }
  | { kind: 'resize'; size: TerminalSize }
  | { kind: 'signal'; signal: TerminalSignal; killAfterMs: number | undefined }
  | { kind: 'read'; characters: number }
  | { kind: 'end' }
);

export interface PtyStart extends TerminalSize {
  launch: Launch;
  bounds: GroupBounds | undefined;
}

export type PtyReply = { id: number } & (
  | { kind: 'opened' }
  | { kind: 'refused'; message: string; isMissing: boolean }
  | { kind: 'output'; text: string }
  | { kind: 'ended'; exitCode: number | null }
);
