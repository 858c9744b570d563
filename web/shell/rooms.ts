import type { Role } from '../access/role.ts';
import type { IconName } from '../parts/icon.tsx';

interface Room {
  to: string;
  icon: IconName;
  name: `shell.${string}`;
  /** Whoever has less may do nothing in the room: it is absent for him. */
  least?: Role;
  /** For administrators of the whole service, whose credential is bound to no workspaces. */
  ofAll?: true;
}

interface Group {
  name: `shell.groups.${string}`;
  rooms: readonly Room[];
}

/** The rooms of a workspace that are always in sight. The side list and the palette are made of these tables. */
export const MAIN_ROOMS = [
  { to: '/w/$workspaceId/chat', icon: 'chat', name: 'shell.chat' },
  { to: '/w/$workspaceId/files', icon: 'files', name: 'shell.files' },
  { to: '/w/$workspaceId/search', icon: 'search', name: 'shell.search' },
  { to: '/w/$workspaceId/agent', icon: 'agent', name: 'shell.agent' },
  { to: '/w/$workspaceId/research', icon: 'report', name: 'shell.research' },
] as const satisfies Room[];

/** The others, behind the names of their groups. */
export const ROOM_GROUPS = [
  {
    name: 'shell.groups.knowledge',
    rooms: [
      { to: '/w/$workspaceId/notes', icon: 'note', name: 'shell.notes' },
      { to: '/w/$workspaceId/papers', icon: 'paper', name: 'shell.papers' },
      { to: '/w/$workspaceId/datasets', icon: 'dataset', name: 'shell.datasets' },
    ],
  },
  {
    name: 'shell.groups.automation',
    rooms: [
      { to: '/w/$workspaceId/tasks', icon: 'task', name: 'shell.tasks' },
      { to: '/w/$workspaceId/skills', icon: 'skill', name: 'shell.skills' },
    ],
  },
  {
    name: 'shell.groups.machines',
    rooms: [
      { to: '/w/$workspaceId/git', icon: 'branch', name: 'shell.git' },
      { to: '/w/$workspaceId/terminal', icon: 'terminal', name: 'shell.terminal', least: 'member' },
      { to: '/w/$workspaceId/cluster', icon: 'server', name: 'shell.cluster' },
    ],
  },
  {
    name: 'shell.groups.workspace',
    rooms: [
      { to: '/w/$workspaceId', icon: 'overview', name: 'shell.overview' },
      { to: '/w/$workspaceId/permissions', icon: 'shield', name: 'shell.permissions' },
      { to: '/w/$workspaceId/members', icon: 'people', name: 'shell.members' },
      { to: '/w/$workspaceId/mcp', icon: 'plug', name: 'shell.mcp' },
    ],
  },
] as const satisfies Group[];

/** Rooms of the service, beside all workspaces. */
export const SERVICE_ROOMS = [
  { to: '/settings', icon: 'settings', name: 'shell.settings' },
  { to: '/settings/tokens', icon: 'key', name: 'shell.tokens', least: 'admin' },
  { to: '/settings/usage', icon: 'coins', name: 'shell.usage' },
  { to: '/settings/audit', icon: 'list', name: 'shell.audit', least: 'admin', ofAll: true },
  { to: '/settings/bots', icon: 'chat', name: 'shell.bots', least: 'admin', ofAll: true },
  { to: '/settings/health', icon: 'pulse', name: 'shell.health' },
] as const satisfies Room[];

export type RoomGroup = (typeof ROOM_GROUPS)[number];
export type WorkspaceRoom = ((typeof MAIN_ROOMS)[number] | RoomGroup['rooms'][number]) & { least?: Role };
export type ServiceRoom = (typeof SERVICE_ROOMS)[number] & Pick<Room, 'least' | 'ofAll'>;
