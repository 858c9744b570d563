import * as z from 'zod';
import { Forbidden, Unauthorized } from '../errors.ts';

/** viewer reads, chats and asks; member does everything inside its workspaces; admin all of it. */
export const roleSchema = z.enum(['viewer', 'member', 'admin']);
export type Role = z.infer<typeof roleSchema>;

/** Who calls, as the authorizer function found out. */
export interface Caller {
  /** The token's id, the subject of a JWT, or `local` with AUTH_MODE=disabled. */
  id: string;
  role: Role;
  /** Null = every workspace. */
  workspaceIds: string[] | null;
}

const RANK: Record<Role, number> = { viewer: 1, member: 2, admin: 3 };

/** Throws Forbidden when the caller's role is below the one a route asks for. */
export function requireRole(caller: Caller, role: Role): void {
  if (RANK[caller.role] < RANK[role]) throw new Forbidden(`this needs the role ${role}`);
}

/** What the authorizer hands on through API Gateway: strings only. */
const contextSchema = z.object({
  principalId: z.string(),
  role: roleSchema,
  workspaceIds: z.string().transform((text) => z.array(z.string()).nullable().parse(JSON.parse(text))),
});

/** The caller in an event's authorizer context; throws Unauthorized when the route was reached without one. */
export function readCaller(context: unknown): Caller {
  const parsed = contextSchema.safeParse(context);
  if (!parsed.success) throw new Unauthorized();
  const { principalId, role, workspaceIds } = parsed.data;
  return { id: principalId, role, workspaceIds };
}

/** The same caller as an authorizer context, the inverse of readCaller. */
export function callerContext(caller: Caller): Record<string, string> {
  return { role: caller.role, workspaceIds: JSON.stringify(caller.workspaceIds) };
}
