import type { StreamPart } from './stream-part.ts';

/** What a person said to a call that was asked about. */
export interface ApprovalAnswered {
  approvalId: string;
  toolCallId: string;
  approved: boolean;
  reason?: string | undefined;
}

const TYPE = 'data-approval-response';

/**
 * The frame of an answer, which comes before the call's result. Version 7 of the AI SDK has a part for it, at which version 6
 * ends its stream: so it is kept as one that every version takes, and shows nothing.
 */
export function approvalAnswered(answer: ApprovalAnswered): StreamPart {
  return { type: TYPE, data: answer, transient: true };
}

/** The answer, where the part is one. */
export function readApprovalAnswered(part: StreamPart): ApprovalAnswered | undefined {
  return part.type === TYPE && 'data' in part ? (part.data as ApprovalAnswered) : undefined;
}

/** What a call says that a person denied. */
export function deniedText(reason: string | undefined): string {
  const said = reason === undefined ? '' : ` They said: ${JSON.stringify(reason)}.`;
  return `The person denied this call, so it was not run.${said}`;
}
