import { ROUTE_GROUPS } from '../../infra/openapi.ts';
import type { Route } from '../../lib/http/route.ts';

export type AnyRoute = Omit<Route<unknown>, 'handle'>;

/**
 * * Permissions: one row per route. `closed` answers 401 without a valid credential, `open` answers anyone.
 * Then the roles, v(iewer), m(ember), and a(dmin), of a credential that isn't bound to workspaces, to the
 * workspace that the request is about, and to another one: a letter is allowed, `-` is refused with 403, `.`
 * gets 404 as if the workspace didn't exist.
 */
const ACCESS_TABLE = `
route                                                    no      unbound  own  foreign
GET    /api/workspaces                                   closed  vma  vma  vma
POST   /api/workspaces                                   closed  -ma  ---  ---
POST   /api/workspaces/example                           closed  -ma  ---  ---
GET    /api/workspaces/{workspaceId}                     closed  vma  vma  ---
PATCH  /api/workspaces/{workspaceId}                     closed  -ma  -ma  ---
DELETE /api/workspaces/{workspaceId}                     closed  -ma  -ma  ---
GET    /api/workspaces/{workspaceId}/permissions         closed  vma  vma  ---
PUT    /api/workspaces/{workspaceId}/permissions         closed  -ma  -ma  ---
GET    /api/workspaces/{workspaceId}/members             closed  vma  vma  ---
PUT    /api/workspaces/{workspaceId}/members             closed  --a  --a  ---
GET    /api/workspaces/{workspaceId}/settings            closed  vma  vma  ---
PUT    /api/workspaces/{workspaceId}/settings            closed  --a  --a  ---
GET    /api/files/browse                                 closed  vma  vma  ---
GET    /api/files/read                                   closed  vma  vma  ---
GET    /api/files/provenance                             closed  ...  ...  ---
GET    /api/files/raw                                    closed  vma  vma  ---
POST   /api/files/write                                  closed  -ma  -ma  ---
POST   /api/files/upload                                 closed  -ma  -ma  ---
DELETE /api/files/delete                                 closed  -ma  -ma  ---
POST   /api/files/rename                                 closed  -ma  -ma  ---
POST   /api/files/mkdir                                  closed  -ma  -ma  ---
POST   /api/files/uploads                                closed  -ma  -ma  ---
GET    /api/files/uploads/{uploadId}                     closed  vma  vma  ---
POST   /api/files/uploads/{uploadId}/parts               closed  -ma  -ma  ---
POST   /api/workspaces/{workspaceId}/sync                closed  -ma  -ma  ---
GET    /api/workspaces/{workspaceId}/sync                closed  vma  vma  ---
GET    /api/workspaces/{workspaceId}/files               closed  vma  vma  ---
GET    /api/workspaces/{workspaceId}/documents/{path}    closed  ...  ...  ---
PATCH  /api/workspaces/{workspaceId}/documents/{path}    closed  -..  -..  ---
POST   /api/workspaces/{workspaceId}/documents/{path}/lookup closed  -..  -..  ---
POST   /api/workspaces/{workspaceId}/references          closed  vma  vma  ---
POST   /api/chat                                         closed  vma  vma  ---
GET    /api/chat/{conversationId}/stream                 closed  vma  vma  vma
POST   /api/chat/{conversationId}/stop                   closed  vma  vma  ...
GET    /api/conversations                                closed  vma  vma  ---
GET    /api/conversations/{conversationId}               closed  vma  vma  ...
PUT    /api/conversations/{conversationId}               closed  vma  vma  ...
DELETE /api/conversations/{conversationId}               closed  vma  vma  ...
GET    /api/conversations/{conversationId}/attachments/{hash} closed  vma  vma  ...
GET    /api/conversations/{conversationId}/export        closed  vma  vma  ...
GET    /api/conversations/{conversationId}/stream        closed  vma  vma  ...
GET    /api/conversations/{conversationId}/feedback      closed  vma  vma  ...
PUT    /api/conversations/{conversationId}/messages/{messageId}/feedback closed  ...  ...  ...
DELETE /api/conversations/{conversationId}/messages/{messageId}/feedback closed  ...  ...  ...
GET    /api/webhooks                                     closed  --a  ---  ---
POST   /api/webhooks                                     closed  --a  ---  ---
PATCH  /api/webhooks/{webhookId}                         closed  --a  ---  ---
DELETE /api/webhooks/{webhookId}                         closed  --a  ---  ---
POST   /api/webhooks/{webhookId}/rotate                  closed  --a  ---  ---
POST   /api/webhooks/{webhookId}/test                    closed  --a  ---  ---
GET    /api/webhooks/{webhookId}/deliveries              closed  --a  ---  ---
GET    /api/feedback                                     closed  --a  ---  ---
GET    /api/feedback/export                              closed  --a  ---  ---
GET    /api/openai/v1/models                             closed  vma  vma  vma
POST   /api/openai/v1/chat/completions                   closed  vma  vma  ---
POST   /api/openai/v1/responses                          closed  vma  vma  ---
GET    /api/search                                       closed  vma  vma  ...
GET    /api/workspaces/{workspaceId}/search              closed  vma  vma  ---
GET    /api/workspaces/{workspaceId}/broken-citations    closed  vma  vma  ---
GET    /api/workspaces/{workspaceId}/citations           closed  vma  vma  ---
POST   /api/workspaces/{workspaceId}/citations/check     closed  vma  vma  ---
POST   /api/workspaces/{workspaceId}/broken-citations/{brokenCitationId}/repair closed  -..  -..  ---
POST   /api/agent                                        closed  vma  vma  ---
GET    /api/agent/{conversationId}/stream                closed  vma  vma  vma
GET    /api/agent/runs                                   closed  vma  vma  ---
GET    /api/agent/runs/{runId}                           closed  vma  vma  ---
GET    /api/agent/runs/{runId}/stream                    closed  vma  vma  ---
POST   /api/agent/runs/{runId}/stop                      closed  vma  vma  ---
POST   /api/agent/runs/{runId}/calls/{toolCallId}/stop   closed  vma  vma  ---
GET    /api/agent/runs/{runId}/messages                  closed  vma  vma  ---
POST   /api/agent/runs/{runId}/messages                  closed  vma  vma  ---
DELETE /api/agent/runs/{runId}/messages/{messageId}      closed  ...  ...  ---
GET    /api/agent/runs/{runId}/changes                   closed  vma  vma  ---
POST   /api/agent/runs/{runId}/undo                      closed  -ma  -ma  ---
POST   /api/agent/runs/{runId}/approvals/{approvalId}    closed  -ma  -ma  ---
POST   /api/agent/summarize                              closed  vma  vma  ---
GET    /api/research                                     closed  -ma  -ma  ---
POST   /api/research                                     closed  -ma  -ma  ---
GET    /api/research/{runId}                             closed  vma  vma  ---
GET    /api/research/{runId}/export                      closed  vma  vma  ---
POST   /api/research/{runId}/plan                        closed  -ma  -ma  ---
POST   /api/research/{runId}/continue                    closed  -ma  -ma  ---
POST   /api/research/{runId}/refresh                     closed  -ma  -ma  ---
GET    /api/evidence-tables                              closed  vma  vma  ---
POST   /api/evidence-tables                              closed  -ma  -ma  ---
POST   /api/evidence-tables/columns                      closed  -ma  -ma  ---
GET    /api/evidence-tables/{tableId}                    closed  vma  vma  ...
PATCH  /api/evidence-tables/{tableId}                    closed  -ma  -ma  -..
DELETE /api/evidence-tables/{tableId}                    closed  -ma  -ma  -..
GET    /api/evidence-tables/{tableId}/export             closed  vma  vma  ...
POST   /api/evidence-tables/{tableId}/resume             closed  -ma  -ma  -..
POST   /api/evidence-tables/{tableId}/stop               closed  -ma  -ma  -..
POST   /api/verify                                       closed  -ma  -ma  ---
GET    /api/verify/{runId}                               closed  vma  vma  ---
DELETE /api/verify/{runId}                               closed  -ma  -ma  ---
GET    /api/verify/{runId}/export                        closed  vma  vma  ---
POST   /api/verify/{runId}/sentences/{n}/suggestion      closed  -ma  -ma  ---
POST   /api/terminal/exec                                closed  -ma  -ma  ---
POST   /api/terminal/sessions                            closed  -ma  -ma  ---
DELETE /api/terminal/sessions/{sessionId}                closed  -ma  -ma  -..
GET    /api/terminal/sessions/{sessionId}/stream         closed  -ma  -ma  -..
POST   /api/terminal/sessions/{sessionId}/input          closed  -ma  -ma  -..
POST   /api/terminal/sessions/{sessionId}/resize         closed  -ma  -ma  -..
POST   /api/terminal/sessions/{sessionId}/signal         closed  -ma  -ma  -..
GET    /api/datasets                                     closed  vma  vma  vma
POST   /api/datasets                                     closed  -ma  -ma  -ma
POST   /api/datasets/import-local                        closed  -ma  -ma  ---
GET    /api/datasets/repo-info                           closed  vma  vma  vma
GET    /api/datasets/modelscope-info                     closed  vma  vma  vma
GET    /api/datasets/{datasetId}                         closed  vma  vma  ...
DELETE /api/datasets/{datasetId}                         closed  -ma  ---  -..
GET    /api/datasets/{datasetId}/status                  closed  vma  vma  ...
POST   /api/datasets/{datasetId}/pause                   closed  -ma  ---  -..
POST   /api/datasets/{datasetId}/cancel                  closed  -ma  ---  -..
POST   /api/datasets/{datasetId}/retry                   closed  -ma  ---  -..
POST   /api/datasets/{datasetId}/refresh                 closed  -ma  ---  -..
GET    /api/datasets/{datasetId}/preview                 closed  vma  vma  ...
GET    /api/datasets/{datasetId}/workspaces              closed  vma  vma  ...
POST   /api/datasets/{datasetId}/workspaces              closed  -ma  -ma  ---
DELETE /api/datasets/{datasetId}/workspaces              closed  -ma  -ma  ---
POST   /api/paper-study/search                           closed  vma  vma  vma
GET    /api/workspaces/{workspaceId}/bibliography        closed  vma  vma  ---
GET    /api/workspaces/{workspaceId}/papers              closed  vma  vma  ---
POST   /api/workspaces/{workspaceId}/papers              closed  -ma  -ma  ---
GET    /api/skills                                       closed  vma  vma  ---
POST   /api/skills                                       closed  -ma  -ma  ---
POST   /api/skills/import                                closed  -ma  -ma  ---
GET    /api/skills/{skillId}                             closed  vma  vma  ---
PUT    /api/skills/{skillId}                             closed  -ma  -ma  ---
DELETE /api/skills/{skillId}                             closed  -ma  -ma  ---
GET    /api/skills/{skillId}/export                      closed  vma  vma  ---
GET    /api/scheduled-tasks                              closed  vma  vma  ---
POST   /api/scheduled-tasks                              closed  -ma  -ma  ---
GET    /api/scheduled-tasks/{taskId}                     closed  vma  vma  ---
PUT    /api/scheduled-tasks/{taskId}                     closed  -ma  -ma  ---
DELETE /api/scheduled-tasks/{taskId}                     closed  -ma  -ma  ---
GET    /api/scheduled-tasks/{taskId}/runs                closed  vma  vma  ---
POST   /api/scheduled-tasks/{taskId}/run                 closed  -ma  -ma  ---
GET    /api/workspaces/{workspaceId}/activity            closed  vma  vma  ---
GET    /api/usage                                        closed  vma  vma  vma
GET    /api/budgets                                      closed  vma  vma  vma
PUT    /api/budgets                                      closed  --a  ---  ---
GET    /api/audit                                        closed  --a  ---  ---
GET    /api/audit/export                                 closed  --a  ---  ---
GET    /api/notes                                        closed  vma  vma  ---
POST   /api/notes                                        closed  -ma  -ma  ---
GET    /api/notes/{noteId}                               closed  vma  vma  ---
PUT    /api/notes/{noteId}                               closed  -ma  -ma  ---
DELETE /api/notes/{noteId}                               closed  -ma  -ma  ---
GET    /api/memories                                     closed  vma  vma  ---
POST   /api/memories                                     closed  -ma  -ma  ---
PATCH  /api/memories/{memoryId}                          closed  -ma  -ma  ---
DELETE /api/memories/{memoryId}                          closed  -ma  -ma  ---
POST   /api/generate                                     closed  -ma  -ma  ---
POST   /api/daily-report                                 closed  -ma  -ma  ---
POST   /api/weekly-report                                closed  -ma  -ma  ---
POST   /api/git/clone                                    closed  -ma  ---  ---
POST   /api/git/pull                                     closed  -ma  -ma  ---
GET    /api/git/status                                   closed  vma  vma  ---
GET    /api/git/diff                                     closed  vma  vma  ---
GET    /api/git/log                                      closed  vma  vma  ---
POST   /api/git/stage                                    closed  -ma  -ma  ---
POST   /api/git/unstage                                  closed  -ma  -ma  ---
POST   /api/git/discard                                  closed  -ma  -ma  ---
POST   /api/git/commit                                   closed  -ma  -ma  ---
POST   /api/git/commit-message                           closed  -ma  -ma  ---
POST   /api/git/branch                                   closed  -ma  -ma  ---
POST   /api/git/push                                     closed  -ma  -ma  ---
GET    /api/cluster/status                               closed  vma  vma  vma
GET    /api/cluster/operations                           closed  vma  vma  ---
GET    /api/models                                       closed  vma  vma  vma
GET    /api/settings                                     closed  --a  ---  ---
PUT    /api/settings                                     closed  --a  ---  ---
GET    /api/settings/models                              closed  --a  ---  ---
PUT    /api/settings/models/{provider}                   closed  --a  ---  ---
DELETE /api/settings/models/{provider}                   closed  --a  ---  ---
POST   /api/settings/models/{provider}/test              closed  --a  ---  ---
POST   /api/settings/models/{provider}/check             closed  --a  ---  ---
GET    /api/settings/local-models                        closed  --a  ---  ---
GET    /api/settings/roots                               closed  --a  ---  ---
POST   /api/settings/roots                               closed  --a  ---  ---
DELETE /api/settings/roots                               closed  --.  ---  ---
GET    /api/me                                           closed  vma  vma  ---
GET    /api/people                                       closed  --a  --a  ---
GET    /api/people/export                                closed  --a  ---  ---
GET    /api/people/holdings                              closed  --a  ---  ---
GET    /api/people/offboarding                           closed  --.  ---  ---
POST   /api/people/hand-over                             closed  --a  ---  ---
POST   /api/people/erase                                 closed  --a  ---  ---
GET    /api/tokens                                       closed  --a  --a  --a
POST   /api/tokens                                       closed  --a  --a  ---
PATCH  /api/tokens/{tokenId}                             closed  --a  --a  ---
DELETE /api/tokens/{tokenId}                             closed  --a  --a  ---
POST   /api/tokens/{tokenId}/rotate                      closed  --a  ---  ---
POST   /api/bot/ima                                      open    vma  vma  vma
POST   /api/bot/ima/push                                 open    vma  vma  vma
GET    /api/bot/imb                                      open    vma  vma  vma
POST   /api/bot/imb                                      open    vma  vma  vma
GET    /api/workspaces/{workspaceId}/sources            closed  vma  vma  ---
POST   /api/workspaces/{workspaceId}/sources            closed  -ma  -ma  ---
GET    /api/workspaces/{workspaceId}/sources/{sourceId} closed  vma  vma  ---
PATCH  /api/workspaces/{workspaceId}/sources/{sourceId} closed  -ma  -ma  ---
DELETE /api/workspaces/{workspaceId}/sources/{sourceId} closed  -ma  -ma  ---
POST   /api/workspaces/{workspaceId}/sources/{sourceId}/sync closed  -ma  -ma  ---
GET    /api/workspaces/{workspaceId}/sources/{sourceId}/runs closed  vma  vma  ---
GET    /api/workspaces/{workspaceId}/mcp-servers        closed  vma  vma  ---
POST   /api/workspaces/{workspaceId}/mcp-servers        closed  -ma  -ma  ---
DELETE /api/workspaces/{workspaceId}/mcp-servers        closed  -..  -..  ---
GET    /api/workspaces/{workspaceId}/mcp-servers/{name}/tools closed  vma  vma  ---
POST   /api/mcp                                          closed  vma  vma  vma
GET    /.well-known/oauth-protected-resource             open    vma  vma  vma
GET    /.well-known/oauth-protected-resource/api/mcp     open    vma  vma  vma
GET    /api/health                                       open    vma  vma  vma
GET    /api/metrics                                     closed  --a  ---  ---
GET    /api/system/network                               closed  vma  vma  vma
GET    /api/system/storage                               closed  vma  vma  vma
GET    /api/system/folders                               closed  -ma  ---  ---
POST   /api/system/reindex                               closed  --a  ---  ---
GET    /api/system/reindex                               closed  --a  ---  ---
GET    /api/openapi.json                                 open    vma  vma  vma
GET    /api/docs                                         open    vma  vma  vma
GET    /api/docs/{asset}                                 open    vma  vma  vma
GET    /api/docs/pages                                   open    vma  vma  vma
GET    /api/docs/pages/{page}                            open    vma  vma  vma
GET    /api/docs/pages/{folder}/{page}                   open    vma  vma  vma
`;

/**
 * The same for resources of all workspaces, or of none: routes with an optional workspace, called without
 * one.
 */
const ACCESS_TO_ALL_TABLE = `
route                                                    no      unbound  own  foreign
GET    /api/skills                                       closed  vma  vma  vma
POST   /api/skills                                       closed  --a  ---  ---
POST   /api/skills/import                                closed  --a  ---  ---
GET    /api/scheduled-tasks                              closed  vma  vma  vma
POST   /api/scheduled-tasks                              closed  --a  ---  ---
GET    /api/cluster/operations                           closed  --a  ---  ---
GET    /api/me                                           closed  vma  vma  vma
GET    /api/people                                       closed  --a  --a  --a
PUT    /api/scheduled-tasks/{taskId}                     closed  -ma  -ma  ---
POST   /api/verify                                       closed  -ma  -ma  -ma
GET    /api/memories                                     closed  vma  vma  vma
POST   /api/memories                                     closed  vma  vma  vma
`;

/** The cells of a row, by the name of its route. */
export const rows = readTable(ACCESS_TABLE);
export const rowsOfAll = readTable(ACCESS_TO_ALL_TABLE);
export const routes = Object.values(ROUTE_GROUPS).flat() as AnyRoute[];

export function nameOf({ method, path }: AnyRoute): string {
  return `${method} ${path}`;
}

/** The input fields of a route. */
export function shapeOf(schema: unknown): Record<string, unknown> {
  return (schema as { shape?: Record<string, unknown> } | undefined)?.shape ?? {};
}

function readTable(table: string): Map<string, string> {
  const [, ...lines] = table.trim().split('\n');
  const words = lines.map((line) => line.split(/ +/));
  return new Map(words.map(([method, path, ...cells]) => [`${method} ${path}`, cells.join(' ')]));
}
