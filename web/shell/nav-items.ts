import type { Role } from '../../lib/api-contract/roles.ts';
import type { IconName } from '../parts/icon.tsx';

interface NavItem {
  to: string;
  icon: IconName;
  name: `shell.${string}`;
  /** The kind of runs on the page that may wait for a person. */
  runs?: 'agent' | 'research';
  /** The lowest role for which the page is useful; for lower roles, the item is hidden. */
  least?: Role;
  /** True for a page for global administrators only, whose credential isn't workspace-scoped. */
  ofAll?: true;
}

interface Group {
  name: `shell.groups.${string}`;
  items: readonly NavItem[];
}

/** Workspace pages that are always visible. The sidebar and the palette are built from these tables. */
export const MAIN_ITEMS = [
  { to: '/w/$workspaceId/chat', icon: 'chat', name: 'shell.chat' },
  { to: '/w/$workspaceId/files', icon: 'files', name: 'shell.files' },
  { to: '/w/$workspaceId/search', icon: 'search', name: 'shell.search' },
  { to: '/w/$workspaceId/agent', icon: 'agent', name: 'shell.agent', runs: 'agent' },
  { to: '/w/$workspaceId/research', icon: 'report', name: 'shell.research', runs: 'research' },
  { to: '/w/$workspaceId/drafts', icon: 'check', name: 'shell.drafts' },
] as const satisfies NavItem[];

/** The other workspace pages, in collapsible groups. */
export const NAV_GROUPS = [
  {
    name: 'shell.groups.knowledge',
    items: [
      { to: '/w/$workspaceId/notes', icon: 'note', name: 'shell.notes' },
      { to: '/w/$workspaceId/memory', icon: 'pin', name: 'shell.memory' },
      { to: '/w/$workspaceId/papers', icon: 'paper', name: 'shell.papers' },
      { to: '/w/$workspaceId/tables', icon: 'list', name: 'shell.tables' },
      { to: '/w/$workspaceId/datasets', icon: 'dataset', name: 'shell.datasets' },
      { to: '/w/$workspaceId/broken', icon: 'warn', name: 'shell.broken' },
    ],
  },
  {
    name: 'shell.groups.automation',
    items: [
      { to: '/w/$workspaceId/tasks', icon: 'task', name: 'shell.tasks' },
      { to: '/w/$workspaceId/skills', icon: 'skill', name: 'shell.skills' },
    ],
  },
  {
    name: 'shell.groups.machines',
    items: [
      { to: '/w/$workspaceId/git', icon: 'branch', name: 'shell.git' },
      { to: '/w/$workspaceId/terminal', icon: 'terminal', name: 'shell.terminal', least: 'member' },
      { to: '/w/$workspaceId/cluster', icon: 'server', name: 'shell.cluster' },
    ],
  },
  {
    name: 'shell.groups.workspace',
    items: [
      { to: '/w/$workspaceId', icon: 'overview', name: 'shell.overview' },
      { to: '/w/$workspaceId/permissions', icon: 'shield', name: 'shell.permissions' },
      { to: '/w/$workspaceId/members', icon: 'people', name: 'shell.members' },
      { to: '/w/$workspaceId/mcp', icon: 'plug', name: 'shell.mcp' },
    ],
  },
] as const satisfies Group[];

/** Pages of the service, outside any workspace. */
export const SERVICE_ITEMS = [
  { to: '/settings', icon: 'settings', name: 'shell.settings' },
  { to: '/settings/tokens', icon: 'key', name: 'shell.tokens', least: 'admin' },
  { to: '/settings/usage', icon: 'coins', name: 'shell.usage' },
  { to: '/settings/audit', icon: 'list', name: 'shell.audit', least: 'admin', ofAll: true },
  { to: '/settings/feedback', icon: 'thumbUp', name: 'shell.feedback', least: 'admin', ofAll: true },
  { to: '/settings/webhooks', icon: 'send', name: 'shell.webhooks', least: 'admin', ofAll: true },
  { to: '/settings/bots', icon: 'chat', name: 'shell.bots', least: 'admin', ofAll: true },
  { to: '/settings/health', icon: 'pulse', name: 'shell.health' },
] as const satisfies NavItem[];

export type NavGroup = (typeof NAV_GROUPS)[number];
export type WorkspaceItem = ((typeof MAIN_ITEMS)[number] | NavGroup['items'][number]) & { least?: Role };
export type ServiceItem = (typeof SERVICE_ITEMS)[number] & Pick<NavItem, 'least' | 'ofAll'>;
