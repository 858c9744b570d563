import type { StreamPart } from '../api-contract/stream-part.ts';
import { InvalidInput } from '../errors.ts';
import { deniedText, readApprovalAnswered } from './approval-parts.ts';

/** The header with the version of the AI SDK that reads a stream. */
export const SDK_VERSION_HEADER = 'x-ai-sdk-version';

const versions = [5, 6, 7] as const;
export type SdkVersion = (typeof versions)[number];

/**
 * Returns the major version that a client names in the header. Throws InvalidInput for a version that streams don't
 * support.
 */
export function readSdkVersion(header: string | undefined): SdkVersion | undefined {
  if (header === undefined || header === '') return undefined;
  const major = Number(/^(\d{1,4})(\.[\w.+-]{1,100})?$/.exec(header)?.[1] ?? Number.NaN);
  const version = versions.find((each) => each === major);
  if (version === undefined)
    throw new InvalidInput(
      'ai_sdk_version_unsupported',
      `${SDK_VERSION_HEADER} must be 5, 6, or 7. Omit the header for the default.`,
      { field: SDK_VERSION_HEADER },
    );
  return version;
}

/** Returns whether an approval can still be answered. */
type IsOpen = (approvalId: string) => Promise<boolean>;

/**
 * Converts the parts for a version of the AI SDK, one for one, so that their numbers stay. Version 5 has no
 * approvals, so it gets the request as a data part. Version 6 can't show an answer, so for an answered call
 * (`isOpen` is false) it gets only the result. Version 7 gets all parts.
 */
export async function* partsFor(
  version: SdkVersion,
  parts: AsyncIterable<StreamPart>,
  isOpen: IsOpen,
): AsyncGenerator<StreamPart> {
  const rewrite = version === 7 ? withResponse : withoutApprovals(version, isOpen);
  for await (const part of parts) yield rewrite(part);
}

function withResponse(part: StreamPart): StreamPart {
  const answered = readApprovalAnswered(part);
  if (answered === undefined) return part;
  const { approvalId, approved, reason } = answered;
  return { type: 'tool-approval-response', approvalId, approved, ...(reason !== undefined && { reason }) };
}

/** Removes approvals that the version can't show. A denied call then appears as failed. */
function withoutApprovals(version: 5 | 6, isOpen: IsOpen) {
  const hidden = new Set<string>();
  const reasons = new Map<string, string | undefined>();
  return async (part: StreamPart): Promise<StreamPart> => {
    const answered = readApprovalAnswered(part);
    if (answered !== undefined) reasons.set(answered.toolCallId, answered.reason);
    if (part.type === 'tool-approval-request') {
      const isShown = await isOpen(part.approvalId);
      if (version === 6 && isShown) return part;
      hidden.add(part.toolCallId);
      return requestAsData(part, isShown);
    }
    if (part.type !== 'tool-output-denied' || !(version === 5 || hidden.has(part.toolCallId))) return part;
    const { toolCallId } = part;
    return { type: 'tool-output-error', toolCallId, errorText: deniedText(reasons.get(toolCallId)) };
  };
}

/** Includes the request in the message only while it can be answered. */
function requestAsData(
  { approvalId, toolCallId }: Extract<StreamPart, { type: 'tool-approval-request' }>,
  isShown: boolean,
): StreamPart {
  const part = { type: 'data-approval-request' as const, data: { approvalId, toolCallId } };
  return isShown ? { ...part, id: approvalId } : { ...part, transient: true };
}
