import { timestamp } from '../../ports/clock.ts';
import { type ReceivePorts, receiveEvent } from '../inbox/receive.ts';
import type { FeishuPayload } from './callback.ts';
import { readEvent } from './event.ts';

/** Feishu's message to the person who pressed a button, or the acknowledgment of an event. */
export type FeishuAnswer =
  | { challenge: string }
  | { toast: { type: 'info'; content: string } }
  | { ok: true };

/** Handles a callback, however it arrived, and returns the immediate response. */
export async function takeFeishuEvent(ports: ReceivePorts, payload: FeishuPayload): Promise<FeishuAnswer> {
  const event = readEvent(payload, timestamp(ports.clock));
  if (event.kind === 'challenge') return { challenge: event.challenge };
  if (event.kind === 'ignored') return { ok: true };
  await receiveEvent(ports, { platform: 'ima', ids: event.ids, message: event.message });
  if (event.kind === 'message') return { ok: true };
  return { toast: { type: 'info', content: 'Answer received.' } };
}
