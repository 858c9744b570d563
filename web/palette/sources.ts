import i18next from 'i18next';
import { readRunsOfKind } from '../agent/runs-of-kind.ts';
import { api, take } from '../api/client.ts';
import type { IconName } from '../parts/icon.tsx';
import { skillInLanguage } from '../skills/built-in-text.ts';

/** An item with a view of its own, and that view's URL. */
interface Thing {
  id: string;
  text: string;
  icon: IconName;
  address: string;
}

export interface Source {
  name:
    | 'workspaces'
    | 'conversations'
    | 'runs'
    | 'reports'
    | 'checks'
    | 'tables'
    | 'notes'
    | 'datasets'
    | 'tasks'
    | 'skills';
  list(workspaceId: string, typed: string): Promise<Thing[]>;
  /**
   * True if the service searches for the typed text. Otherwise, the list is fetched once and filtered here.
   */
  searches?: boolean;
}

const LIMIT = 50;
const room = (workspaceId: string) => `/w/${encodeURIComponent(workspaceId)}`;

/** Sources of the palette in a workspace. To add a kind of item, add an entry. */
export const WORKSPACE_SOURCES: Source[] = [
  {
    name: 'conversations',
    searches: true,
    list: async (workspaceId, q) => {
      const query = { workspaceId, limit: LIMIT, ...(q !== '' && { q }) };
      const found = await take(api.GET('/api/conversations', { params: { query } }));
      return found
        .filter(({ kind }) => kind === 'chat')
        .map(({ id, title }) => thing(workspaceId, 'chat', 'chat', id, title));
    },
  },
  {
    name: 'runs',
    list: async (workspaceId) => {
      const query = { workspaceId, kind: 'agent' as const, limit: LIMIT };
      const found = await take(api.GET('/api/agent/runs', { params: { query } }));
      return found.map(({ id, request }) => thing(workspaceId, 'agent', 'agent', id, request));
    },
  },
  {
    name: 'reports',
    list: async (workspaceId) => {
      const found = await readRunsOfKind(workspaceId, 'research');
      return found.map(({ id, request }) => thing(workspaceId, 'research', 'report', id, request));
    },
  },
  {
    name: 'checks',
    list: async (workspaceId) => {
      const found = await readRunsOfKind(workspaceId, 'verify');
      return found.map(({ id, request, draft }) =>
        thing(workspaceId, 'drafts', 'check', id, draft?.name ?? request),
      );
    },
  },
  {
    name: 'tables',
    list: async (workspaceId) => {
      const query = { workspaceId, limit: LIMIT };
      const found = await take(api.GET('/api/evidence-tables', { params: { query } }));
      return found.map(({ id, name }) => thing(workspaceId, 'tables', 'list', id, name));
    },
  },
  {
    name: 'notes',
    searches: true,
    list: async (workspaceId, q) => {
      const query = { workspaceId, limit: LIMIT, ...(q !== '' && { q }) };
      const found = await take(api.GET('/api/notes', { params: { query } }));
      return found.map(({ id, title }) => thing(workspaceId, 'notes', 'note', id, title));
    },
  },
  {
    name: 'datasets',
    list: async (workspaceId) => {
      const found = await take(api.GET('/api/datasets', { params: { query: { limit: LIMIT } } }));
      return found.map(({ id, name }) => thing(workspaceId, 'datasets', 'dataset', id, name));
    },
  },
  {
    name: 'tasks',
    list: async (workspaceId) => {
      const query = { workspaceId, limit: LIMIT };
      const found = await take(api.GET('/api/scheduled-tasks', { params: { query } }));
      return found.map(({ id, name }) => thing(workspaceId, 'tasks', 'task', id, name));
    },
  },
  {
    name: 'skills',
    list: async (workspaceId) => {
      const query = { workspaceId, limit: LIMIT };
      const found = await take(api.GET('/api/skills', { params: { query } }));
      return found.map((skill) =>
        thing(workspaceId, 'skills', 'skill', skill.id, skillInLanguage(skill, i18next).name),
      );
    },
  },
];

function thing(workspaceId: string, folder: string, icon: IconName, id: string, text = ''): Thing {
  return { id, text, icon, address: `${room(workspaceId)}/${folder}/${encodeURIComponent(id)}` };
}

export const WORKSPACES: Source = {
  name: 'workspaces',
  list: async () => {
    const found = await take(api.GET('/api/workspaces', { params: { query: { limit: LIMIT } } }));
    return found.map(({ id, name }) => ({ id, text: name, icon: 'files', address: `${room(id)}/chat` }));
  },
};
