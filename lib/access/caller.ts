import * as z from 'zod';
import { hasRole, ROLES, type Role } from '../api-contract/roles.ts';
import { Forbidden } from '../errors.ts';

export const roleSchema = z.enum(ROLES).meta({ title: 'Role' });

/** The holder's profile, read from the credential. The name is only shown; rights depend on the ID alone. */
export const profileSchema = z.object({
  kind: z.enum(['token', 'user', 'chat']),
  name: z.string().optional(),
  email: z.string().optional(),
});
export type Profile = z.infer<typeof profileSchema>;

/** The caller's ID if AUTH_MODE=disabled: everyone who can reach the host. */
export const LOCAL = 'local';

/** The caller, as the authorizer function identified them. */
export interface Caller {
  /** The token's ID or the JWT's subject; LOCAL with AUTH_MODE=disabled and for tokens made with `--continue-local`. */
  id: string;
  /** The token's ID, if it differs from `id`. */
  tokenId?: string | undefined;
  role: Role;
  /** Null means every workspace. */
  workspaceIds: string[] | null;
  /** The caller's groups, as the JWT's issuer reports them. Other kinds of callers have none. */
  groups?: string[] | undefined;
  /**
   * When the caller's token expires. Absent if it never expires, or if the caller has no token of this
   * service.
   */
  expiresAt?: string | undefined;
  /** Missing with AUTH_MODE=disabled. Stored work omits it, because lib/people stores it. */
  profile?: Profile | undefined;
  /** The role that the request needs. A workspace's member list may give the caller a lower one (members.ts). */
  needs?: Role | undefined;
  /** The IP address of the request, if known. */
  address?: string | undefined;
  /** The workspaces that the request entered or was refused (callerIn records them). */
  visited?: Set<string> | undefined;
}

/**
 * The caller as stored with work that outlives the request. The token's expiry is omitted, because it's
 * looked up each time.
 */
export const callerSchema = z.object({
  id: z
    .string()
    .describe(
      'ID of the caller: the OIDC `sub` claim or the ID of an API token. `local` with AUTH_MODE=disabled.',
    ),
  role: roleSchema,
  workspaceIds: z
    .array(z.string())
    .nullable()
    .describe('IDs of the workspaces that the credential is bound to. Null for every workspace.'),
  groups: z.array(z.string()).optional().describe('Groups of the user, from the OIDC token.'),
  tokenId: z.string().optional().describe('ID of the API token, where `id` is another.'),
});

/** Returns the lower of two roles. */
export function lowerRole(one: Role, other: Role): Role {
  return hasRole({ role: one }, other) ? other : one;
}

/** Throws Forbidden if the caller's role is below the one that a route requires. */
export function requireRole(caller: Caller, role: Role): void {
  if (!hasRole(caller, role)) throw new Forbidden('role_required', `This needs the role ${role}.`);
}

/** Returns true for an administrator whose credential isn't workspace-scoped. No member list applies to them. */
export function isAdminOfAll({ role, workspaceIds }: Pick<Caller, 'role' | 'workspaceIds'>): boolean {
  return role === 'admin' && workspaceIds === null;
}

/** Requires a global administrator, for changes that apply to every workspace. Throws Forbidden. */
export function requireAdminOfAll(caller: Caller): void {
  requireRole(caller, 'admin');
  requireUnscoped(caller);
}

/** Requires a monitor or a global administrator, for figures of the whole service. Throws Forbidden. */
export function requireMonitor(caller: Caller): void {
  if (caller.role !== 'monitor') requireRole(caller, 'admin');
  requireUnscoped(caller);
}

/** Throws Forbidden for a credential that is limited to some workspaces. */
export function requireUnscoped(caller: Caller): void {
  if (caller.workspaceIds !== null)
    throw new Forbidden(
      'workspace_scoped_token',
      "This token is limited to its workspaces and can't do this.",
    );
}

/**
 * Returns true if a credential for these workspaces (null = all) reaches only workspaces that the caller can
 * reach.
 */
export function isWithinBounds(caller: Caller, workspaceIds: string[] | null): boolean {
  if (caller.workspaceIds === null) return true;
  return workspaceIds?.every((id) => mayUse(caller, id)) ?? false;
}

/** Returns true if the caller's credential covers the workspace. */
export function mayUse(caller: Caller, workspaceId: string): boolean {
  return caller.workspaceIds === null || caller.workspaceIds.includes(workspaceId);
}
