import * as z from 'zod';
import { type Caller, profileSchema, roleSchema } from '../access/caller.ts';
import { Unauthorized } from '../errors.ts';

/** Built once, because building a schema costs more than the other checks of a request together. */
const workspaceIdsSchema = z.array(z.string()).nullable();
const groupsSchema = z.array(z.string());

/** The authorizer's context, which API Gateway passes as strings. */
const contextSchema = z.object({
  principalId: z.string(),
  role: roleSchema,
  workspaceIds: z.string().transform((text) => workspaceIdsSchema.parse(JSON.parse(text))),
  groups: z
    .string()
    .transform((text) => groupsSchema.parse(JSON.parse(text)))
    .optional(),
  expiresAt: z.string().optional(),
  tokenId: z.string().optional(),
  profile: z
    .string()
    .transform((text) => profileSchema.parse(JSON.parse(text)))
    .optional(),
});

/** Returns the caller in an event's authorizer context; throws Unauthorized if the route was reached without one. */
export function readCaller(context: unknown): Caller {
  const parsed = contextSchema.safeParse(context);
  if (!parsed.success) throw new Unauthorized('invalid_credential');
  const { principalId, ...rights } = parsed.data;
  return { id: principalId, ...rights };
}

/** Returns an authorizer context for the caller, the inverse of readCaller. */
export function callerContext(caller: Caller): Record<string, string> {
  const { role, workspaceIds, groups, expiresAt, tokenId, profile } = caller;
  return {
    role,
    workspaceIds: JSON.stringify(workspaceIds),
    ...(groups !== undefined && { groups: JSON.stringify(groups) }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(tokenId !== undefined && { tokenId }),
    ...(profile !== undefined && { profile: JSON.stringify(profile) }),
  };
}
