import type { BotPorts } from '../ports.ts';
import { sendOnce } from '../reply/send-reply.ts';
import type { ChatReport } from '../schema.ts';

/** The current state of a report or a check. */
export interface ReportNow {
  title: string;
  isOver: boolean;
  progress: string;
  /** The message on a platform that can't change messages; null if there is none yet. */
  milestone: { name: string; text: string } | null;
  /** Sends the result. */
  deliver(): Promise<void>;
}

/** Returns the command that requested the report or check. */
export function commandOf({ check }: Pick<ChatReport, 'check'>): 'research' | 'check' {
  return check === null ? 'research' : 'check';
}

/** Sends a separate message instead of changing the progress card, because a changed message doesn't notify anyone. */
export async function sayOfReport(
  ports: BotPorts,
  report: ChatReport,
  { name, ok, text }: { name: string; ok: boolean; text: string },
): Promise<void> {
  const content = { kind: 'command' as const, command: commandOf(report), ok, text };
  await sendOnce(ports, report, content, { name: `${report.runId} ${name}` });
}
