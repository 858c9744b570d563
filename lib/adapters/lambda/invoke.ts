import { InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';
import { jitteredDelay, retry } from '../../async/retry.ts';
import { TooManyRequests, UpstreamFailed } from '../../errors.ts';

/**
 * Milliseconds for which a throttled call is retried. Together with a workspace's transfer and a command of
 * 30 s, they fit into the terminal's 150 s.
 */
const PATIENCE_MS = 20_000;
/**
 * Milliseconds to wait for a function that Lambda reactivates. Lambda removes its network after two weeks
 * without a call.
 */
const WAKING_MS = 75_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 3_000;
const RETRY_AFTER_SECONDS = 5;
const WAKING_RETRY_AFTER_SECONDS = 60;

/**
 * Calls a function and waits for its answer. A call that was throttled, or that found the function not ready,
 * has run nothing, so it's repeated after growing pauses with jitter. Any other failure is final, because the
 * command may have run. Throws TooManyRequests and UpstreamFailed.
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
    /** The tenant whose environment runs the call, if each tenant has an environment. */
    tenantId?: string | undefined;
  },
  {
    patienceMs = PATIENCE_MS,
    wakingMs = WAKING_MS,
  }: { patienceMs?: number | undefined; wakingMs?: number } = {},
): Promise<string> {
  const call = () => {
    const command = new InvokeCommand({
      FunctionName: functionName,
      Payload: Buffer.from(payload),
      ...(tenantId !== undefined && { TenantId: tenantId }),
    });
    return client.send(command, signal && { abortSignal: signal });
  };
  const since = performance.now();
  const answer = await retry(call, {
    signal,
    waitAfter: (error, tries) => {
      const waitMs = jitteredDelay(tries, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
      const limitMs = isThrottled(error) ? patienceMs : isNotReady(error) ? wakingMs : 0;
      return performance.now() + waitMs > since + limitMs ? undefined : waitMs;
    },
  }).catch((error: unknown) => {
    signal?.throwIfAborted();
    throw isThrottled(error) ? busyError() : isNotReady(error) ? wakingError() : unreachableError(error);
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

function wakingError(): TooManyRequests {
  return new TooManyRequests(
    'commands_busy',
    'The commands function was unused for weeks and is starting. Try again in a minute.',
    WAKING_RETRY_AFTER_SECONDS,
  );
}

function unreachableError(cause: unknown): UpstreamFailed {
  return new UpstreamFailed('commands_failed', "Can't reach the commands function. Try again.", { cause });
}

/**
 * Returns whether the quota of the account or of tenant environments is used up. Such a call has run nothing.
 */
function isThrottled(error: unknown): boolean {
  return error instanceof Error && error.name === 'TooManyRequestsException';
}

/** Errors while Lambda creates the function, its network, or its environment. Such a call has run nothing. */
const NOT_READY = [
  'ResourceNotReadyException',
  'ResourceConflictException',
  'ENINotReadyException',
  'EC2ThrottledException',
];

function isNotReady(error: unknown): boolean {
  return error instanceof Error && NOT_READY.includes(error.name);
}

function payloadOf({ Payload, FunctionError }: { Payload?: Uint8Array; FunctionError?: string }): string {
  if (FunctionError !== undefined)
    throw new UpstreamFailed(
      'commands_failed',
      'The commands function failed. Try again, or ask an administrator to check its log.',
    );
  return Buffer.from(Payload ?? []).toString();
}
