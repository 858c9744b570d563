import type { Role } from '../access/role.ts';

/** The least role first. */
export const ROLES: Role[] = ['viewer', 'member', 'admin'];
