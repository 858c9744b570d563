import { setTimeout as sleep } from 'node:timers/promises';
import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { TooManyRequests, UpstreamFailed } from '../../errors.ts';

/** How long a throttled call is tried again: with the workspace's way and a command of 30 s it fits into the terminal's 150. */
const PATIENCE_MS = 20_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 3_000;
const RETRY_AFTER_SECONDS = 5;

/**
 * Calls a function and waits for its answer. A throttled call has run nothing, so it is made again, after growing pauses
 * with chance in them; any other failure is final, for the command may have run. Throws TooManyRequests, UpstreamFailed.
 */
export async function invoke(
  client: LambdaClient,
  {
    functionName,
    payload,
    signal,
    tenantId,
  }: {
    functionName: string;
    payload: string;
    signal?: AbortSignal | undefined;
    /** The tenant whose environment runs it, where each tenant has its own. */
    tenantId?: string | undefined;
  },
  patienceMs = PATIENCE_MS,
): Promise<string> {
  const giveUpAt = performance.now() + patienceMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const command = new InvokeCommand({
      FunctionName: functionName,
      Payload: Buffer.from(payload),
      ...(tenantId !== undefined && { TenantId: tenantId }),
    });
    const answer = await client.send(command, signal && { abortSignal: signal }).catch((error: unknown) => {
      signal?.throwIfAborted();
      if (isThrottled(error)) return 'throttled' as const;
      throw new UpstreamFailed('commands_failed', "Can't reach the commands function. Try again.", {
        cause: error,
      });
    });
    if (answer !== 'throttled') return payloadOf(answer);
    const waitMs = pauseMs * (0.5 + Math.random() / 2);
    if (performance.now() + waitMs > giveUpAt)
      throw new TooManyRequests(
        'commands_busy',
        'The limit of concurrent commands is reached. Try again in a few seconds.',
        RETRY_AFTER_SECONDS,
      );
    await sleep(waitMs, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
  }
}

/** The reservation of the function, or the account's quota, is used up: no invocation was made. */
function isThrottled(error: unknown): boolean {
  return error instanceof Error && error.name === 'TooManyRequestsException';
}

function payloadOf({ Payload, FunctionError }: { Payload?: Uint8Array; FunctionError?: string }): string {
  if (FunctionError !== undefined)
    throw new UpstreamFailed(
      'commands_failed',
      'The commands function failed. Try again, or ask an administrator to check its log.',
    );
  return Buffer.from(Payload ?? []).toString();
}
