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
 * Returns the event of an answer, which precedes the call's result. Version 7 of the AI SDK has a part for it, at which
 * version 6 ends its stream: so it is stored as a part that every version accepts, and that shows nothing.
 */
export function approvalAnswered(answer: ApprovalAnswered): StreamPart {
  return { type: TYPE, data: answer, transient: true };
}

/** Returns the answer, if the part is one. */
export function readApprovalAnswered(part: StreamPart): ApprovalAnswered | undefined {
  return part.type === TYPE && 'data' in part ? (part.data as ApprovalAnswered) : undefined;
}

/** The result text of a denied call. */
export function deniedText(reason: string | undefined): string {
  const said = reason === undefined ? '' : ` They said: ${JSON.stringify(reason)}.`;
  return `The person denied this call, so it was not run.${said}`;
}
