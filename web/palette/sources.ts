import { api, take } from '../api/client.ts';
import type { IconName } from '../parts/icon.tsx';

/** A thing that has a view of its own, and the address of that. */
export interface Thing {
  id: string;
  text: string;
  icon: IconName;
  address: string;
}

export interface Source {
  name: 'workspaces' | 'conversations' | 'runs';
  list(workspaceId: string, typed: string): Promise<Thing[]>;
  /** The service searches by what is typed; else the list is asked for once. */
  searches?: boolean;
}

const LIMIT = 50;
const room = (workspaceId: string) => `/w/${encodeURIComponent(workspaceId)}`;

/** What the palette finds in a workspace: a kind of thing more is an entry more. */
export const WORKSPACE_SOURCES: Source[] = [
  {
    name: 'conversations',
    searches: true,
    list: async (workspaceId, q) => {
      const query = { workspaceId, limit: LIMIT, ...(q !== '' && { q }) };
      const found = await take(api.GET('/api/conversations', { params: { query } }));
      return found
        .filter(({ kind }) => kind === 'chat')
        .map(({ id, title }) => ({
          id,
          text: title,
          icon: 'chat',
          address: `${room(workspaceId)}/chat/${encodeURIComponent(id)}`,
        }));
    },
  },
  {
    name: 'runs',
    list: async (workspaceId) => {
      const query = { workspaceId, limit: LIMIT };
      const found = await take(api.GET('/api/agent/runs', { params: { query } }));
      return found.map(({ id, request }) => ({
        id,
        text: request ?? '',
        icon: 'agent',
        address: `${room(workspaceId)}/agent/${encodeURIComponent(id)}`,
      }));
    },
  },
];

export const WORKSPACES: Source = {
  name: 'workspaces',
  list: async () => {
    const found = await take(api.GET('/api/workspaces', { params: { query: { limit: LIMIT } } }));
    return found.map(({ id, name }) => ({ id, text: name, icon: 'files', address: `${room(id)}/chat` }));
  },
};
