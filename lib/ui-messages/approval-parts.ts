import type { StreamPart } from '../api-contract/stream-part.ts';

/** A person's answer to a call that needed approval. */
export interface ApprovalAnswered {
  approvalId: string;
  toolCallId: string;
  approved: boolean;
  reason?: string | undefined;
}

const TYPE = 'data-approval-response';

/**
 * Returns the event of an answer, which comes before the call's result. Version 7 of the AI SDK has a part
 * for it, but version 6 ends its stream at that part. So the answer is stored as a part that every version
 * accepts and doesn't show.
 */
export function approvalAnswered(answer: ApprovalAnswered): StreamPart {
  return { type: TYPE, data: answer, transient: true };
}

/** Returns the answer, if the part is an answer. */
export function readApprovalAnswered(part: StreamPart): ApprovalAnswered | undefined {
  return part.type === TYPE && 'data' in part ? (part.data as ApprovalAnswered) : undefined;
}

/** Returns the result text of a denied call. */
export function deniedText(reason: string | undefined): string {
  const said = reason === undefined ? '' : ` They said: ${JSON.stringify(reason)}.`;
  return `The person denied this call, so it was not run.${said}`;
}
