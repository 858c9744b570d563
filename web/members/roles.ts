import type { Role } from '../access/role.ts';

/** From the least to the most. */
export const ROLES: Role[] = ['viewer', 'member', 'admin'];
