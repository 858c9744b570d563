/**
 * In ascending order: monitor reads only metrics and health; viewer reads, chats, and asks; member does
 * everything in its workspaces; admin does everything.
 */
export const ROLES = ['monitor', 'viewer', 'member', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** The roles in a workspace, where a monitor may do nothing. */
export const MEMBER_ROLES = ['viewer', 'member', 'admin'] as const satisfies Role[];
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** Returns whether the caller's role is this one or higher. */
export function hasRole({ role }: { role: Role }, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}
