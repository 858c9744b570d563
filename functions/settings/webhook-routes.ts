import * as z from 'zod';
import { DELETED, deletedSchema, reply } from '../../lib/http/reply.ts';
import { type HttpPorts, routeFor } from '../../lib/http/route.ts';
import type { Queue } from '../../lib/ports/queue.ts';
import {
  changeWebhookSchema,
  createWebhookSchema,
  deliverySchema,
  webhookParams,
  webhookSchema,
  webhookWithSecretSchema,
} from '../../lib/webhooks/schema.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  rotateWebhookSecret,
  testWebhook,
  WEBHOOK_ERRORS,
  type WebhookPorts,
} from '../../lib/webhooks/webhooks.ts';

const ADMINS = 'Only for administrators whose credential is not bound to workspaces.';
const path = '/api/webhooks/{webhookId}';

export type WebhookRoutePorts = HttpPorts & WebhookPorts & { agentQueue: Queue };
const route = routeFor<WebhookRoutePorts>();

export const webhookRoutes = [
  route({
    method: 'GET',
    path: '/api/webhooks',
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: `Secrets are never returned. ${ADMINS}`,
    access: 'admin',
    replies: { 200: z.array(webhookSchema) },
    errors: ['workspace_scoped_token'],
    handle: async ({ caller }, { records }) => reply(200, await listWebhooks(records, caller)),
  }),
  route({
    method: 'POST',
    path: '/api/webhooks',
    operationId: 'createWebhook',
    summary: 'Create a webhook',
    description: `Events are sent by [Standard Webhooks](https://www.standardwebhooks.com), about a minute after they happen: IDs, states, titles, and paths of the console, but no content. A failed delivery is repeated for 24 hours with the same \`webhook-id\`. The secret is returned only once. ${ADMINS}`,
    access: 'admin',
    body: createWebhookSchema,
    example: { name: 'Team chat', url: 'https://chat.example.org/hooks/wrs', events: ['run.finished'] },
    replies: { 201: webhookWithSecretSchema },
    errors: ['workspace_scoped_token', 'too_many_webhooks'],
    audit: 'webhooks.create',
    auditAbout: ({ body: { name, url } }) => `${name}: ${new URL(url).host}`,
    idempotent: false,
    handle: async ({ body, caller }, ports) => reply(201, await createWebhook(ports, caller, body)),
  }),
  route({
    method: 'PATCH',
    path,
    operationId: 'updateWebhook',
    summary: 'Update a webhook',
    description: `Changes only the fields that you send. Once enabled again, a webhook gets only later events. ${ADMINS}`,
    access: 'admin',
    params: webhookParams,
    body: changeWebhookSchema,
    example: { isEnabled: true },
    replies: { 200: webhookSchema },
    errors: [...WEBHOOK_ERRORS, 'concurrent_changes'],
    audit: 'webhooks.change',
    handle: async ({ params, body, caller }, ports) =>
      reply(200, await changeWebhook(ports, caller, params.webhookId, body)),
  }),
  route({
    method: 'DELETE',
    path,
    operationId: 'deleteWebhook',
    summary: 'Delete a webhook',
    description: `Also deletes its secret, its log, and events that were not delivered yet. ${ADMINS}`,
    access: 'admin',
    params: webhookParams,
    replies: { 200: deletedSchema },
    errors: [...WEBHOOK_ERRORS],
    audit: 'webhooks.delete',
    async handle({ params, caller }, ports) {
      await deleteWebhook(ports, caller, params.webhookId);
      return reply(200, DELETED);
    },
  }),
  route({
    method: 'POST',
    path: `${path}/rotate`,
    operationId: 'rotateWebhookSecret',
    summary: 'Replace the secret of a webhook',
    description: `The secret is returned only once. For 24 hours, events have two signatures: of the new secret and of the previous one. ${ADMINS}`,
    access: 'admin',
    params: webhookParams,
    replies: { 200: webhookWithSecretSchema },
    errors: [...WEBHOOK_ERRORS, 'concurrent_changes'],
    audit: 'webhooks.rotate',
    idempotent: false,
    handle: async ({ params, caller }, ports) =>
      reply(200, await rotateWebhookSecret(ports, caller, params.webhookId)),
  }),
  route({
    method: 'POST',
    path: `${path}/test`,
    operationId: 'sendTestEvent',
    summary: 'Send a test event to a webhook',
    description: `Sends \`webhook.test\` at once. The log of deliveries shows the result. ${ADMINS}`,
    access: 'admin',
    params: webhookParams,
    replies: {
      202: z
        .strictObject({ deliveryId: z.string().describe('ID of the delivery.') })
        .meta({ id: 'WebhookTest' }),
    },
    errors: [...WEBHOOK_ERRORS, 'webhook_disabled'],
    audit: 'webhooks.test',
    handle: async ({ params, caller }, ports) =>
      reply(202, await testWebhook(ports, caller, params.webhookId)),
  }),
  route({
    method: 'GET',
    path: `${path}/deliveries`,
    operationId: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook',
    description: `Returns the latest 200, newest first. An ended delivery is kept for 7 days. ${ADMINS}`,
    access: 'admin',
    params: webhookParams,
    replies: { 200: z.array(deliverySchema) },
    errors: [...WEBHOOK_ERRORS],
    handle: async ({ params, caller }, { records }) =>
      reply(200, await listDeliveries(records, caller, params.webhookId)),
  }),
];
