import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { jitteredDelay, retry } from '../../async/retry.ts';
import { TooManyRequests, UpstreamFailed } from '../../errors.ts';

/**
 * How long a throttled call is retried: with the workspace's transfer and a command of 30 s, it fits into the
 * terminal's 150.
 */
const PATIENCE_MS = 20_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 3_000;
const RETRY_AFTER_SECONDS = 5;

/**
 * Calls a function and waits for its response. A throttled call ran nothing, so it's retried with backoff and jitter.
 * Any other failure is final, because the command may have run. Throws TooManyRequests, UpstreamFailed.
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
    /** The tenant whose environment runs it, if each tenant has its own. */
    tenantId?: string | undefined;
  },
  patienceMs = PATIENCE_MS,
): Promise<string> {
  const call = () => {
    const command = new InvokeCommand({
      FunctionName: functionName,
      Payload: Buffer.from(payload),
      ...(tenantId !== undefined && { TenantId: tenantId }),
    });
    return client.send(command, signal && { abortSignal: signal });
  };
  const answer = await retry(call, {
    patienceMs,
    signal,
    waitAfter: (error, tries) =>
      isThrottled(error) ? jitteredDelay(tries, FIRST_PAUSE_MS, LONGEST_PAUSE_MS) : undefined,
  }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw isThrottled(error) ? busyError() : unreachableError(error);
  });
  return payloadOf(answer);
}

function busyError(): TooManyRequests {
  return new TooManyRequests(
    'commands_busy',
    'The limit of concurrent commands is reached. Try again in a few seconds.',
    RETRY_AFTER_SECONDS,
  );
}

function unreachableError(cause: unknown): UpstreamFailed {
  return new UpstreamFailed('commands_failed', "Can't reach the commands function. Try again.", { cause });
}

/** True if the function's reserved concurrency or the account's quota is used up: nothing was invoked. */
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
