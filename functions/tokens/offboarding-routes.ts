import * as z from 'zod';
import { reply, replyPage } from '../../lib/http/reply.ts';
import { routeFor } from '../../lib/http/route.ts';
import type { CallPorts } from '../../lib/leases/due.ts';
import { listHoldings } from '../../lib/offboarding/holdings.ts';
import { findOffboarding, requestErasure, requestHandOver } from '../../lib/offboarding/request.ts';
import {
  describeOffboarding,
  eraseSchema,
  handOverSchema,
  holdingSchema,
  holdingsQuery,
  offboardingSchema,
  personQuery,
} from '../../lib/offboarding/schema.ts';

const route = routeFor<CallPorts>();

const GLOBAL = 'Only for administrators whose credential is not bound to workspaces.';
const WORKS =
  'Continues in the background, also after a restart; a repeated request returns the one in progress. The audit log has the request and its result.';

export const offboardingRoutes = [
  route({
    method: 'GET',
    path: '/api/people/holdings',
    operationId: 'listHoldings',
    summary: 'List what a person owns',
    description: `Returns the workspaces in which a person owns conversations or tasks, or is a member. The chats of bots have no owner. A page may be empty and still have a cursor. ${GLOBAL}`,
    access: 'admin',
    query: holdingsQuery,
    replies: { 200: z.array(holdingSchema) },
    errors: ['workspace_scoped_token'],
    handle: async ({ query, caller }, ports) => replyPage(await listHoldings(ports, caller, query)),
  }),
  route({
    method: 'GET',
    path: '/api/people/offboarding',
    operationId: 'getOffboarding',
    summary: 'Get the latest hand-over or erasure of a person',
    description: `Returns its progress. It is kept for 30 days after its end. ${GLOBAL}`,
    access: 'admin',
    query: personQuery,
    replies: { 200: offboardingSchema },
    errors: ['offboarding_not_found', 'workspace_scoped_token'],
    handle: async ({ query, caller }, { records }) =>
      reply(200, describeOffboarding(await findOffboarding(records, caller, query.personId))),
  }),
  route({
    method: 'POST',
    path: '/api/people/hand-over',
    operationId: 'handOverPerson',
    summary: 'Hand over what a person owns',
    description: `Gives the conversations and tasks of a person to another one, as far as that one may use their workspaces, and the member lists of which the person is the only administrator. Stopped tasks run again. ${WORKS} ${GLOBAL}`,
    access: 'admin',
    body: handOverSchema,
    example: {
      personId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11',
      to: 'ben@example.org',
      kinds: ['tasks', 'workspaces'],
    },
    audit: 'people.hand-over',
    auditAbout: ({ body: { personId, to, kinds } }) => `${personId} to ${to}: ${kinds.join(', ')}`,
    replies: { 202: offboardingSchema },
    errors: ['offboarding_in_progress', 'person_gone', 'person_not_found', 'workspace_scoped_token'],
    handle: async ({ body, caller }, ports) =>
      reply(202, describeOffboarding(await requestHandOver(ports, caller, body))),
  }),
  route({
    method: 'POST',
    path: '/api/people/erase',
    operationId: 'erasePerson',
    summary: 'Erase what a person owns',
    description: `Deletes the conversations, drafts, tasks, and budget of a person, their entries in member lists, and their name and email address. A list keeps the entry of its last administrator, so hand it over first. The audit log and usage keep the ID. ${WORKS} ${GLOBAL}`,
    access: 'admin',
    body: eraseSchema,
    example: { personId: '019a0b6e-7c52-7d1e-9a39-2f6f0c7f4a11' },
    audit: 'people.erase',
    auditAbout: ({ body: { personId } }) => personId,
    replies: { 202: offboardingSchema },
    errors: ['offboarding_in_progress', 'person_active', 'workspace_scoped_token'],
    handle: async ({ body, caller }, ports) =>
      reply(202, describeOffboarding(await requestErasure(ports, caller, body.personId))),
  }),
];
