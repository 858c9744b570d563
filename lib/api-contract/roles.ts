/**
 * The lowest role first: viewer reads, chats, and asks; member does everything in its workspaces; admin does
 * everything.
 */
export const ROLES = ['viewer', 'member', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** True if the caller's role is this one or higher. */
export function hasRole({ role }: { role: Role }, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}
