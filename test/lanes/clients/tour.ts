/**
 * A tour of the API, written once for every generated client: an operation, its parameters, and its body.
 * `$name` is a value that an earlier step kept: `keeps: { note: 'id' }` keeps the field `id` of the response.
 */
export interface Step {
  operation: string;
  params?: Record<string, string | number | boolean>;
  body?: unknown;
  keeps?: Record<string, string>;
}

const workspaceId = '$workspace';
const messages = [{ role: 'user', content: 'When do owls hunt?' }];
const skill = { name: 'Birds', systemPrompt: 'List the birds.' };
const task = { name: 'Report', taskType: 'daily_report', schedule: '0 8 * * *', workspaceId };
const mcpServer = { name: 'tickets', url: 'https://tickets.example.com/mcp', headers: {} };

export const TOUR: Step[] = [
  { operation: 'GET /api/health' },
  { operation: 'GET /api/me' },
  { operation: 'POST /api/workspaces', body: { path: '$folder' }, keeps: { workspace: 'id' } },
  { operation: 'GET /api/workspaces' },
  { operation: 'GET /api/workspaces/{workspaceId}', params: { workspaceId } },
  {
    operation: 'POST /api/files/write',
    body: { workspaceId, path: 'owls.md', content: '# Owls\n\nOwls hunt at night.\n' },
  },
  { operation: 'POST /api/files/mkdir', body: { workspaceId, path: 'notes' } },
  { operation: 'POST /api/files/rename', body: { workspaceId, oldPath: 'notes', newPath: 'texts' } },
  { operation: 'GET /api/files/browse', params: { workspaceId } },
  { operation: 'GET /api/files/read', params: { workspaceId, path: 'owls.md' } },
  { operation: 'POST /api/workspaces/{workspaceId}/sync', params: { workspaceId } },
  { operation: 'GET /api/workspaces/{workspaceId}/sync', params: { workspaceId } },
  { operation: 'GET /api/workspaces/{workspaceId}/files', params: { workspaceId, state: 'indexed' } },
  { operation: 'GET /api/workspaces/{workspaceId}/search', params: { workspaceId, q: 'owls' } },
  { operation: 'POST /api/chat', body: { workspaceId, id: '$conversation', messages } },
  { operation: 'GET /api/conversations', params: { workspaceId } },
  { operation: 'POST /api/agent', body: { workspaceId, cwd: '', messages } },
  { operation: 'GET /api/agent/runs', params: { workspaceId } },
  { operation: 'POST /api/notes', body: { workspaceId, title: 'Owls' }, keeps: { note: 'id' } },
  { operation: 'GET /api/notes', params: { workspaceId } },
  { operation: 'GET /api/notes/{noteId}', params: { noteId: '$note' } },
  { operation: 'PUT /api/notes/{noteId}', params: { noteId: '$note' }, body: { content: 'At night.' } },
  { operation: 'DELETE /api/notes/{noteId}', params: { noteId: '$note' } },
  { operation: 'POST /api/scheduled-tasks', body: task, keeps: { task: 'id' } },
  { operation: 'GET /api/scheduled-tasks' },
  { operation: 'DELETE /api/scheduled-tasks/{taskId}', params: { taskId: '$task' } },
  { operation: 'GET /api/datasets' },
  { operation: 'GET /api/settings' },
  { operation: 'GET /api/models' },
  { operation: 'POST /api/skills', body: skill, keeps: { skill: 'id' } },
  { operation: 'GET /api/skills' },
  { operation: 'DELETE /api/skills/{skillId}', params: { skillId: '$skill' } },
  { operation: 'POST /api/terminal/exec', body: { command: 'echo owls', cwd: '$folder' } },
  { operation: 'GET /api/cluster/status' },
  { operation: 'GET /api/cluster/operations', params: { workspaceId } },
  { operation: 'GET /api/tokens' },
  { operation: 'GET /api/workspaces/{workspaceId}/members', params: { workspaceId } },
  { operation: 'GET /api/workspaces/{workspaceId}/permissions', params: { workspaceId } },
  { operation: 'POST /api/workspaces/{workspaceId}/mcp-servers', params: { workspaceId }, body: mcpServer },
  { operation: 'GET /api/workspaces/{workspaceId}/activity', params: { workspaceId } },
  { operation: 'GET /api/audit' },
  { operation: 'GET /api/usage' },
  { operation: 'GET /api/research', params: { workspaceId } },
  { operation: 'GET /api/system/storage' },
  { operation: 'DELETE /api/workspaces/{workspaceId}', params: { workspaceId } },
];
