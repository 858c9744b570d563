import * as z from 'zod';
import { idSchema } from '../identifiers.ts';
import { expiryAfter, timestampSchema } from '../ports/clock.ts';
import { collection } from '../records/collection.ts';
import { urlField } from '../validation/pasted-fields.ts';

export const EVENT_TYPES = [
  'run.finished',
  'run.approval_required',
  'task.failed',
  'sync.failed',
  'citation.broken',
  'budget.reached',
] as const;
const eventTypeSchema = z.enum(EVENT_TYPES).meta({ title: 'WebhookEventType' });

const DISABLED_REASONS = ['by_administrator', 'gone', 'failing'] as const;

const fields = {
  url: z.string().describe('URL to which events are sent.'),
  name: z.string().describe('Name of the webhook.'),
  events: z.array(eventTypeSchema).describe('Types of events that are sent.'),
  isEnabled: z.boolean().describe('Whether events are sent.'),
  disabledReason: z
    .enum(DISABLED_REASONS)
    .nullable()
    .describe(
      'Why no events are sent: an administrator disabled it (`by_administrator`), the receiver answered 410 (`gone`), or every attempt failed for a day (`failing`). Null if it is enabled.',
    ),
  failingSince: timestampSchema
    .nullable()
    .describe('Time since which every attempt has failed. Null if the latest one succeeded.'),
};

const WEBHOOKS = 'WEBHOOKS';
export const MAX_WEBHOOKS = 10;
export const allWebhooks = { partition: WEBHOOKS, limit: 2 * MAX_WEBHOOKS };

export const webhooks = collection({
  kind: 'webhook',
  schema: z.object({
    ...fields,
    id: z.string(),
    /** The ID of the secret's latest write, because a process may know an earlier value of the secret. */
    secretId: z.string(),
    createdAt: timestampSchema,
    version: z.int(),
  }),
  key: ({ id }: { id: string }) => ({ partition: WEBHOOKS, sort: id }),
});
export type StoredWebhook = NonNullable<Awaited<ReturnType<typeof webhooks.get>>>;

/** Found by the scheduler tick: a webhook with open deliveries, and when the next one is due. */
const DUE = 'WEBHOOK_WORK';
export const webhookWork = collection({
  kind: 'webhook-work',
  schema: z.object({
    webhookId: z.string(),
    until: timestampSchema,
    /** True if the latest pass found nothing open. */
    isIdle: z.boolean(),
  }),
  key: ({ webhookId }: { webhookId: string }) => ({ partition: DUE, sort: webhookId }),
  index: ({ webhookId, until }) => ({ partition: DUE, sort: `${until}#${webhookId}` }),
});
export const WEBHOOK_WORK = DUE;
export type WebhookWork = NonNullable<Awaited<ReturnType<typeof webhookWork.get>>>;

const deliveryFields = {
  id: z.string().describe('ID of the delivery. The header `webhook-id` is `msg_` and this ID.'),
  type: z
    .enum([...EVENT_TYPES, 'webhook.test'])
    .meta({ title: 'WebhookDeliveryType' })
    .describe('Type of the event.'),
  state: z
    .enum(['waiting', 'delivered', 'failed', 'dropped'])
    .meta({ title: 'WebhookDeliveryState' })
    .describe(
      'State of the delivery: `waiting` for its next attempt, `delivered`, `failed` after its last attempt, or `dropped` because the webhook was disabled.',
    ),
  attempts: z.int().describe('Number of attempts so far.'),
  status: z.int().nullable().describe('HTTP status of the latest response. Null if there was none.'),
  error: z.string().nullable().describe('Why the latest attempt failed. Null if it did not.'),
  createdAt: timestampSchema.describe('Time of the event.'),
  nextAt: timestampSchema.nullable().describe('Time of the next attempt. Null if there is none.'),
  finishedAt: timestampSchema.nullable().describe('Time of the end of the delivery. Null until then.'),
};

/** Seconds for which ended deliveries are kept. */
const KEEP_SECONDS = 7 * 24 * 60 * 60;

/** One event for one webhook: its log, and its queue of open attempts. */
export const deliveries = collection({
  kind: 'webhook-delivery',
  schema: z.object({
    ...deliveryFields,
    webhookId: z.string(),
    /** The exact text of all attempts, because the signature covers it. */
    body: z.string(),
  }),
  key: ({ webhookId, id }: { webhookId: string; id: string }) => ({
    partition: deliveriesPartition(webhookId),
    sort: id,
  }),
  index: ({ webhookId, nextAt, id }) =>
    nextAt === null ? undefined : { partition: openPartition(webhookId), sort: `${nextAt}#${id}` },
  expiresAt: ({ finishedAt }) =>
    finishedAt === null ? undefined : expiryAfter({ now: () => Date.parse(finishedAt) }, KEEP_SECONDS),
});
export type WebhookDelivery = NonNullable<Awaited<ReturnType<typeof deliveries.get>>>;

export function deliveriesPartition(webhookId: string): string {
  return `WEBHOOK_DELIVERIES#${webhookId}`;
}

export function openPartition(webhookId: string): string {
  return `WEBHOOK_OPEN#${webhookId}`;
}

const urlSchema = urlField(/^https$/, 'must be an HTTPS URL')
  .refine((url) => new URL(url).port === '', 'must use the default port')
  .refine((url) => url.length <= 2000, 'must have at most 2000 characters')
  .refine((text) => {
    const { username, password } = new URL(text);
    return username === '' && password === '';
  }, "can't contain a user name or password");
const nameSchema = z.string().trim().min(1).max(100).meta({ pattern: '\\S' });
const eventsSchema = fields.events
  .min(1)
  .max(EVENT_TYPES.length)
  .refine((events) => new Set(events).size === events.length, 'lists an event twice');

export const createWebhookSchema = z.strictObject({
  url: urlSchema.describe('HTTPS URL to which events are sent. It must lead to a public address.'),
  name: nameSchema.describe('Name of the webhook.'),
  events: eventsSchema.default([...EVENT_TYPES]).describe('Types of events that are sent. By default, all.'),
});
export type CreateWebhook = z.output<typeof createWebhookSchema>;

export const changeWebhookSchema = z
  .strictObject({
    url: createWebhookSchema.shape.url.optional(),
    name: createWebhookSchema.shape.name.optional(),
    events: eventsSchema.optional().describe('Types of events that are sent.'),
    isEnabled: fields.isEnabled.optional(),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    message: 'must have url, name, events, or isEnabled',
  })
  .meta({ minProperties: 1 });
export type ChangeWebhook = z.output<typeof changeWebhookSchema>;

export const webhookSchema = z
  .strictObject({ id: z.string(), ...fields, createdAt: timestampSchema })
  .meta({ id: 'Webhook' });
export type Webhook = z.infer<typeof webhookSchema>;

export const webhookWithSecretSchema = webhookSchema
  .extend({
    secret: z
      .string()
      .describe('Secret for verifying signatures, with the prefix `whsec_`. It is returned only once.'),
  })
  .meta({ id: 'WebhookWithSecret' });
export type WebhookWithSecret = z.infer<typeof webhookWithSecretSchema>;

export const deliverySchema = z.strictObject(deliveryFields).meta({ id: 'WebhookDelivery' });
export const webhookParams = z.object({ webhookId: idSchema.describe('ID of the webhook.') });
