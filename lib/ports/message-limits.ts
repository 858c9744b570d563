import type { OutgoingMessage } from './queue.ts';

/**
 * The limits of lib/ports/queue.ts. Every adapter has the same ones, and checks them before it sends
 * anything.
 */
const MAX_DELAY_SECONDS = 900;

export function checkMessage({ groupId, delaySeconds = 0 }: OutgoingMessage, fifo: boolean): void {
  if (fifo && !groupId) throw new TypeError('a message to a FIFO queue needs a groupId');
  if (fifo && delaySeconds > 0) throw new TypeError('a FIFO queue takes no delay of single messages');
  if (delaySeconds < 0 || delaySeconds > MAX_DELAY_SECONDS)
    throw new RangeError('a delay is 0 to 900 seconds');
}
