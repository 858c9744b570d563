import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../lib/api-contract/schema.ts';
import { api, take } from '../api/client.ts';
import { useChange } from '../api/use-change.ts';

export type Webhook = Schemas['Webhook'];

/** All types of events, each with the name of its text, because names of texts contain no dots. */
export const EVENT_TEXTS = {
  'run.finished': 'run_finished',
  'run.approval_required': 'run_approval_required',
  'task.failed': 'task_failed',
  'sync.failed': 'sync_failed',
  'citation.broken': 'citation_broken',
  'budget.reached': 'budget_reached',
} as const satisfies Record<Webhook['events'][number], string>;
export const EVENTS = Object.keys(EVENT_TEXTS) as (keyof typeof EVENT_TEXTS)[];

export interface WebhookFields {
  name: string;
  url: string;
  events: Webhook['events'];
}

const KEY = ['webhooks'];
/** Milliseconds between two looks at a log with a delivery that waits. */
const LOOK_MS = 3000;

export function useWebhooks() {
  return useQuery({ queryKey: KEY, queryFn: () => take(api.GET('/api/webhooks')) });
}

/** The response has the secret, which isn't cached, and disappears with the dialog. */
export function useCreateWebhook() {
  return useChange({ rereads: [KEY], holdsSecret: true }, (body: WebhookFields) =>
    take(api.POST('/api/webhooks', { body })),
  );
}

export function useUpdateWebhook(webhookId: string) {
  return useChange({ rereads: [KEY] }, (body: Partial<WebhookFields> & { isEnabled?: boolean }) =>
    take(api.PATCH('/api/webhooks/{webhookId}', { params: { path: { webhookId } }, body })),
  );
}

/** The response has the secret, as for a new webhook. */
export function useRotateWebhook(webhookId: string) {
  return useChange({ rereads: [KEY], holdsSecret: true }, () =>
    take(api.POST('/api/webhooks/{webhookId}/rotate', { params: { path: { webhookId } } })),
  );
}

export function useDeleteWebhook(webhookId: string) {
  return useChange({ rereads: [KEY] }, () =>
    take(api.DELETE('/api/webhooks/{webhookId}', { params: { path: { webhookId } } })),
  );
}

export function useTestWebhook(webhookId: string) {
  return useChange({ rereads: [logKey(webhookId)] }, () =>
    take(api.POST('/api/webhooks/{webhookId}/test', { params: { path: { webhookId } } })),
  );
}

export function useDeliveries(webhookId: string) {
  return useQuery({
    queryKey: logKey(webhookId),
    queryFn: () => take(api.GET('/api/webhooks/{webhookId}/deliveries', { params: { path: { webhookId } } })),
    refetchInterval: ({ state }) =>
      state.data?.some((each) => each.state === 'waiting' && each.attempts === 0) ? LOOK_MS : false,
  });
}

function logKey(webhookId: string) {
  return ['webhook-deliveries', webhookId];
}
