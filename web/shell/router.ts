import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { RUN_STATUSES } from '../../lib/api-contract/runs.ts';
import { fetchSignIn } from '../access/access.tsx';
import { fetchPart } from '../api/fetch-part.ts';
import { readAuditFilter } from '../audit/filter.ts';
import { readRowsPlace } from '../datasets/rows-place.ts';
import { readFilesSearch } from '../files/place.ts';
import { withCatalog } from '../languages/languages.ts';
import { readReportSearch } from '../research/tab-names.ts';
import { readSearchPage } from '../search/filter.ts';
import { readBack } from '../settings/back.tsx';
import { readUsageSearch } from '../usage/span.ts';
import { readCheckSearch } from '../verify/check-search.ts';
import { App } from './app.tsx';
import { NotFound, NotFoundHere, Pending, RouteProblem } from './route-states.tsx';
import { searchTexts } from './search-texts.ts';
import { ServiceFrame } from './service-frame.tsx';

/**
 * Every view has a URL: each page is a route here and a folder next to this one, fetched when it opens. The URL also
 * has the state of a view (a file, a citation, the words of a search), so that going back and forward, and sharing the
 * URL, work.
 */
const rootRoute = createRootRoute({ component: App, notFoundComponent: NotFound });

/** Returns the component of a page, which is fetched together with its strings. */
function page<View extends Record<string, unknown>, Name extends keyof View & string>(
  fetchView: () => Promise<View>,
  name: Name,
) {
  return lazyRouteComponent(withCatalog(fetchView), name);
}

const home = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(
    () => fetchPart(() => import('../workspaces/workspaces-view.tsx')),
    'WorkspacesView',
  ),
});

const service = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: ServiceFrame,
  notFoundComponent: NotFoundHere,
});

const settings = createRoute({
  getParentRoute: () => service,
  path: '/',
  validateSearch: readBack, // the workspace page from which the settings were opened
  component: page(() => import('../settings/settings-view.tsx'), 'SettingsView'),
});

const tokens = createRoute({
  getParentRoute: () => service,
  path: '/tokens',
  component: page(() => import('../tokens/tokens-view.tsx'), 'TokensView'),
});

const usage = createRoute({
  getParentRoute: () => service,
  path: '/usage',
  validateSearch: readUsageSearch,
  component: page(() => import('../usage/usage-view.tsx'), 'UsageView'),
});

const audit = createRoute({
  getParentRoute: () => service,
  path: '/audit',
  validateSearch: readAuditFilter,
  component: page(() => import('../audit/audit-view.tsx'), 'AuditView'),
});

const feedback = createRoute({
  getParentRoute: () => service,
  path: '/feedback',
  component: page(() => import('../feedback/feedback-view.tsx'), 'FeedbackView'),
});

const webhooks = createRoute({
  getParentRoute: () => service,
  path: '/webhooks',
  component: page(() => import('../webhooks/webhooks-view.tsx'), 'WebhooksView'),
});

const bots = createRoute({
  getParentRoute: () => service,
  path: '/bots',
  component: page(() => import('../bots/bots-view.tsx'), 'BotsView'),
});

const health = createRoute({
  getParentRoute: () => service,
  path: '/health',
  component: page(() => import('../health/health-view.tsx'), 'HealthView'),
});

const workspace = createRoute({
  getParentRoute: () => rootRoute,
  path: '/w/$workspaceId',
  component: lazyRouteComponent(() => fetchPart(() => import('./workspace-frame.tsx')), 'WorkspaceFrame'),
  notFoundComponent: NotFoundHere,
});

const overview = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  component: page(() => import('../workspaces/overview-view.tsx'), 'OverviewView'),
});

const newChat = createRoute({
  getParentRoute: () => workspace,
  path: '/chat',
  component: page(() => import('../chat/new-chat-view.tsx'), 'NewChatView'),
});

const chat = createRoute({
  getParentRoute: () => workspace,
  path: '/chat/$conversationId',
  // `source`: the citation whose source is open, as `<message>.<number>`. `nth`: the position of the open sentence
  // among those that cite it. `q`: the question whose passages are shown. `as=chat`
  // continues an agent's conversation as a chat.
  validateSearch: searchTexts('source', 'nth', 'q', 'as'),
  component: page(() => import('../chat/chat-view.tsx'), 'ChatView'),
});

const files = createRoute({
  getParentRoute: () => workspace,
  path: '/files',
  validateSearch: readFilesSearch,
  component: page(() => import('../files/files-view.tsx'), 'FilesView'),
});

const search = createRoute({
  getParentRoute: () => workspace,
  path: '/search',
  validateSearch: readSearchPage,
  component: page(() => import('../search/search-view.tsx'), 'SearchView'),
});

const runs = createRoute({
  getParentRoute: () => workspace,
  path: '/agent',
  validateSearch: ({
    status,
  }: Record<string, unknown>): { status?: (typeof RUN_STATUSES)[number] | undefined } => ({
    status: RUN_STATUSES.find((each) => each === status),
  }),
  component: page(() => import('../agent/runs-view.tsx'), 'RunsView'),
});

const run = createRoute({
  getParentRoute: () => workspace,
  path: '/agent/$runId',
  validateSearch: searchTexts('source', 'nth'),
  component: page(() => import('../agent/run-view.tsx'), 'RunView'),
});

const thread = createRoute({
  getParentRoute: () => workspace,
  path: '/agent/in/$conversationId',
  validateSearch: searchTexts('source', 'nth'),
  component: page(() => import('../agent/thread-view.tsx'), 'ThreadView'),
});

const reports = createRoute({
  getParentRoute: () => workspace,
  path: '/research',
  component: page(() => import('../research/reports-view.tsx'), 'ReportsView'),
});

const report = createRoute({
  getParentRoute: () => workspace,
  path: '/research/$runId',
  validateSearch: readReportSearch,
  component: page(() => import('../research/report-view.tsx'), 'ReportView'),
});

const checks = createRoute({
  getParentRoute: () => workspace,
  path: '/drafts',
  validateSearch: searchTexts('path'), // the workspace file to check
  component: page(() => import('../verify/checks-view.tsx'), 'ChecksView'),
});

const check = createRoute({
  getParentRoute: () => workspace,
  path: '/drafts/$runId',
  validateSearch: readCheckSearch,
  component: page(() => import('../verify/check-view.tsx'), 'CheckView'),
});

const broken = createRoute({
  getParentRoute: () => workspace,
  path: '/broken',
  component: page(() => import('../broken-citations/broken-view.tsx'), 'BrokenView'),
});

const notes = createRoute({
  getParentRoute: () => workspace,
  path: '/notes',
  validateSearch: searchTexts('q', 'type'),
  component: page(() => import('../notes/notes-view.tsx'), 'NotesView'),
});

const newNote = createRoute({
  getParentRoute: () => workspace,
  path: '/notes/new',
  component: page(() => import('../notes/note-editor.tsx'), 'NewNoteView'),
});

const note = createRoute({
  getParentRoute: () => workspace,
  path: '/notes/$noteId',
  validateSearch: searchTexts('source', 'nth'),
  component: page(() => import('../notes/note-view.tsx'), 'NoteView'),
});

const editNote = createRoute({
  getParentRoute: () => workspace,
  path: '/notes/$noteId/edit',
  component: page(() => import('../notes/note-editor.tsx'), 'EditNoteView'),
});

const memory = createRoute({
  getParentRoute: () => workspace,
  path: '/memory',
  component: page(() => import('../memories/memory-view.tsx'), 'MemoryView'),
});

const permissions = createRoute({
  getParentRoute: () => workspace,
  path: '/permissions',
  component: page(() => import('../permissions/permissions-view.tsx'), 'PermissionsView'),
});

const members = createRoute({
  getParentRoute: () => workspace,
  path: '/members',
  component: page(() => import('../members/members-view.tsx'), 'MembersView'),
});

const mcp = createRoute({
  getParentRoute: () => workspace,
  path: '/mcp',
  validateSearch: searchTexts('server'),
  component: page(() => import('../mcp/mcp-view.tsx'), 'McpView'),
});

const git = createRoute({
  getParentRoute: () => workspace,
  path: '/git',
  component: page(() => import('../git/git-view.tsx'), 'GitView'),
});

const terminal = createRoute({
  getParentRoute: () => workspace,
  path: '/terminal',
  component: page(() => import('../terminal/terminal-view.tsx'), 'TerminalView'),
});

const cluster = createRoute({
  getParentRoute: () => workspace,
  path: '/cluster',
  validateSearch: ({ from }: Record<string, unknown>): { from?: number | undefined } => ({
    from: typeof from === 'number' && Number.isSafeInteger(from) && from > 0 ? from : undefined,
  }),
  component: page(() => import('../cluster/cluster-view.tsx'), 'ClusterView'),
});

const datasets = createRoute({
  getParentRoute: () => workspace,
  path: '/datasets',
  component: page(() => import('../datasets/datasets-view.tsx'), 'DatasetsView'),
});

const newDataset = createRoute({
  getParentRoute: () => workspace,
  path: '/datasets/new',
  validateSearch: searchTexts('repo'),
  component: page(() => import('../datasets/new-dataset-view.tsx'), 'NewDatasetView'),
});

const dataset = createRoute({
  getParentRoute: () => workspace,
  path: '/datasets/$datasetId',
  validateSearch: readRowsPlace,
  component: page(() => import('../datasets/dataset-view.tsx'), 'DatasetView'),
});

const papers = createRoute({
  getParentRoute: () => workspace,
  path: '/papers',
  validateSearch: searchTexts('q', 'from', 'to', 'sources'),
  component: page(() => import('../papers/papers-view.tsx'), 'PapersView'),
});

const tables = createRoute({
  getParentRoute: () => workspace,
  path: '/tables',
  component: page(() => import('../evidence/tables-view.tsx'), 'TablesView'),
});

const tableOfRun = createRoute({
  getParentRoute: () => workspace,
  path: '/tables/runs/$runId',
  component: page(() => import('../evidence/tables-view.tsx'), 'TableOfRun'),
});

const table = createRoute({
  getParentRoute: () => workspace,
  path: '/tables/$tableId',
  // `row` and `column`: the open cell. `source`: its open quote. `look=1`: only rows that need a look.
  validateSearch: searchTexts('row', 'column', 'source', 'look'),
  component: page(() => import('../evidence/table-view.tsx'), 'TableView'),
});

const sources = createRoute({
  getParentRoute: () => workspace,
  path: '/sources',
  validateSearch: searchTexts('add'),
  component: page(() => import('../sources/sources-view.tsx'), 'SourcesView'),
});

const knowledge = [
  tables,
  tableOfRun,
  table,
  broken,
  notes,
  newNote,
  note,
  editNote,
  memory,
  papers,
  datasets,
  newDataset,
  dataset,
] as const;

const tasks = createRoute({
  getParentRoute: () => workspace,
  path: '/tasks',
  component: page(() => import('../tasks/tasks-view.tsx'), 'TasksView'),
});

const newTask = createRoute({
  getParentRoute: () => workspace,
  path: '/tasks/new',
  component: page(() => import('../tasks/task-form.tsx'), 'NewTaskView'),
});

const task = createRoute({
  getParentRoute: () => workspace,
  path: '/tasks/$taskId',
  component: page(() => import('../tasks/task-view.tsx'), 'TaskView'),
});

const editTask = createRoute({
  getParentRoute: () => workspace,
  path: '/tasks/$taskId/edit',
  component: page(() => import('../tasks/task-form.tsx'), 'EditTaskView'),
});

const skills = createRoute({
  getParentRoute: () => workspace,
  path: '/skills',
  validateSearch: searchTexts('q'),
  component: page(() => import('../skills/skills-view.tsx'), 'SkillsView'),
});

const newSkill = createRoute({
  getParentRoute: () => workspace,
  path: '/skills/new',
  component: page(() => import('../skills/skill-form.tsx'), 'NewSkillView'),
});

const skill = createRoute({
  getParentRoute: () => workspace,
  path: '/skills/$skillId',
  component: page(() => import('../skills/skill-view.tsx'), 'SkillView'),
});

const editSkill = createRoute({
  getParentRoute: () => workspace,
  path: '/skills/$skillId/edit',
  component: page(() => import('../skills/skill-form.tsx'), 'EditSkillView'),
});

const automation = [tasks, newTask, task, editTask, skills, newSkill, skill, editSkill] as const;
const machines = [sources, permissions, members, mcp, git, terminal, cluster] as const;
const workspacePages = workspace.addChildren([
  overview,
  newChat,
  chat,
  files,
  search,
  runs,
  run,
  thread,
  reports,
  report,
  checks,
  check,
  ...knowledge,
  ...automation,
  ...machines,
]);
const servicePages = service.addChildren([settings, tokens, usage, audit, feedback, webhooks, bots, health]);

export const router = createRouter({
  routeTree: rootRoute.addChildren([home, servicePages, workspacePages]),
  defaultPreload: 'intent',
  defaultPendingComponent: Pending,
  defaultPendingMs: 150,
  defaultErrorComponent: RouteProblem,
});

/**
 * Pages that are fetched in advance, one after the other, so that they open immediately, even while the service is
 * unreachable.
 */
const MAIN_PAGES = [workspace, chat, newChat, files, search, runs, reports];

/** Also the sign-in page, because a credential may expire then, too. */
export async function preloadMainPages(): Promise<void> {
  await fetchSignIn();
  for (const { options } of MAIN_PAGES) await options.component?.preload?.();
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
