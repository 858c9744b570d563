import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { RUN_STATUSES } from '../agent/run-statuses.ts';
import { readAuditFilter } from '../audit/filter.ts';
import { readRowsPlace } from '../datasets/rows-place.ts';
import { readFilesSearch } from '../files/place.ts';
import { withCatalog } from '../languages/languages.ts';
import { REPORT_TABS } from '../research/tab-names.ts';
import { readUsageSearch } from '../usage/span.ts';
import { App } from './app.tsx';
import { NotFound, Pending, RouteProblem } from './route-states.tsx';
import { searchTexts } from './search-texts.ts';
import { ServiceFrame } from './service-frame.tsx';
import { WorkspaceFrame } from './workspace-frame.tsx';

/**
 * Every view has a URL: each page is a route here and a folder next to this one, fetched when it opens. The URL has what a view
 * shows, too (a file, a citation, the words of a search), so that back, forward, and sending it work.
 */
const rootRoute = createRootRoute({ component: App, notFoundComponent: NotFound });

const home = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  component: lazyRouteComponent(() => import('../workspaces/workspaces-view.tsx'), 'WorkspacesView'),
});

const service = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: ServiceFrame,
});

const settings = createRoute({
  getParentRoute: () => service,
  path: '/',
  component: lazyRouteComponent(
    withCatalog(() => import('../settings/settings-view.tsx')),
    'SettingsView',
  ),
});

const tokens = createRoute({
  getParentRoute: () => service,
  path: '/tokens',
  component: lazyRouteComponent(
    withCatalog(() => import('../tokens/tokens-view.tsx')),
    'TokensView',
  ),
});

const usage = createRoute({
  getParentRoute: () => service,
  path: '/usage',
  validateSearch: readUsageSearch,
  component: lazyRouteComponent(
    withCatalog(() => import('../usage/usage-view.tsx')),
    'UsageView',
  ),
});

const audit = createRoute({
  getParentRoute: () => service,
  path: '/audit',
  validateSearch: readAuditFilter,
  component: lazyRouteComponent(
    withCatalog(() => import('../audit/audit-view.tsx')),
    'AuditView',
  ),
});

const bots = createRoute({
  getParentRoute: () => service,
  path: '/bots',
  component: lazyRouteComponent(
    withCatalog(() => import('../bots/bots-view.tsx')),
    'BotsView',
  ),
});

const health = createRoute({
  getParentRoute: () => service,
  path: '/health',
  component: lazyRouteComponent(
    withCatalog(() => import('../health/health-view.tsx')),
    'HealthView',
  ),
});

const workspace = createRoute({
  getParentRoute: () => rootRoute,
  path: '/w/$workspaceId',
  component: WorkspaceFrame,
});

const overview = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  component: lazyRouteComponent(
    withCatalog(() => import('../workspaces/overview-view.tsx')),
    'OverviewView',
  ),
});

const newChat = createRoute({
  getParentRoute: () => workspace,
  path: '/chat',
  component: lazyRouteComponent(
    withCatalog(() => import('../chat/new-chat-view.tsx')),
    'NewChatView',
  ),
});

const chat = createRoute({
  getParentRoute: () => workspace,
  path: '/chat/$conversationId',
  // `source`: the citation whose source is open, as `<message>.<number>`.
  validateSearch: searchTexts('source'),
  component: lazyRouteComponent(
    withCatalog(() => import('../chat/chat-view.tsx')),
    'ChatView',
  ),
});

const files = createRoute({
  getParentRoute: () => workspace,
  path: '/files',
  validateSearch: readFilesSearch,
  component: lazyRouteComponent(
    withCatalog(() => import('../files/files-view.tsx')),
    'FilesView',
  ),
});

const search = createRoute({
  getParentRoute: () => workspace,
  path: '/search',
  validateSearch: searchTexts('q'),
  component: lazyRouteComponent(
    withCatalog(() => import('../search/search-view.tsx')),
    'SearchView',
  ),
});

const runs = createRoute({
  getParentRoute: () => workspace,
  path: '/agent',
  validateSearch: ({
    status,
  }: Record<string, unknown>): { status?: (typeof RUN_STATUSES)[number] | undefined } => ({
    status: RUN_STATUSES.find((each) => each === status),
  }),
  component: lazyRouteComponent(
    withCatalog(() => import('../agent/runs-view.tsx')),
    'RunsView',
  ),
});

const run = createRoute({
  getParentRoute: () => workspace,
  path: '/agent/$runId',
  component: lazyRouteComponent(
    withCatalog(() => import('../agent/run-view.tsx')),
    'RunView',
  ),
});

const reports = createRoute({
  getParentRoute: () => workspace,
  path: '/research',
  component: lazyRouteComponent(
    withCatalog(() => import('../research/reports-view.tsx')),
    'ReportsView',
  ),
});

interface ReportSearch {
  tab?: (typeof REPORT_TABS)[number] | undefined;
  /** The question whose evidence is shown. */
  question?: string | undefined;
  /** The evidence whose source is open. */
  source?: string | undefined;
}

const report = createRoute({
  getParentRoute: () => workspace,
  path: '/research/$runId',
  validateSearch: ({ tab, ...search }: Record<string, unknown>): ReportSearch => ({
    tab: REPORT_TABS.find((each) => each === tab),
    ...searchTexts('question', 'source')(search),
  }),
  component: lazyRouteComponent(
    withCatalog(() => import('../research/report-view.tsx')),
    'ReportView',
  ),
});

const notes = createRoute({
  getParentRoute: () => workspace,
  path: '/notes',
  validateSearch: searchTexts('q', 'type'),
  component: lazyRouteComponent(
    withCatalog(() => import('../notes/notes-view.tsx')),
    'NotesView',
  ),
});

const newNote = createRoute({
  getParentRoute: () => workspace,
  path: '/notes/new',
  component: lazyRouteComponent(
    withCatalog(() => import('../notes/note-editor.tsx')),
    'NewNoteView',
  ),
});

const note = createRoute({
  getParentRoute: () => workspace,
  path: '/notes/$noteId',
  validateSearch: searchTexts('source'),
  component: lazyRouteComponent(
    withCatalog(() => import('../notes/note-view.tsx')),
    'NoteView',
  ),
});

const editNote = createRoute({
  getParentRoute: () => workspace,
  path: '/notes/$noteId/edit',
  component: lazyRouteComponent(
    withCatalog(() => import('../notes/note-editor.tsx')),
    'EditNoteView',
  ),
});

const permissions = createRoute({
  getParentRoute: () => workspace,
  path: '/permissions',
  component: lazyRouteComponent(
    withCatalog(() => import('../permissions/permissions-view.tsx')),
    'PermissionsView',
  ),
});

const members = createRoute({
  getParentRoute: () => workspace,
  path: '/members',
  component: lazyRouteComponent(
    withCatalog(() => import('../members/members-view.tsx')),
    'MembersView',
  ),
});

const mcp = createRoute({
  getParentRoute: () => workspace,
  path: '/mcp',
  validateSearch: searchTexts('server'),
  component: lazyRouteComponent(
    withCatalog(() => import('../mcp/mcp-view.tsx')),
    'McpView',
  ),
});

const git = createRoute({
  getParentRoute: () => workspace,
  path: '/git',
  component: lazyRouteComponent(
    withCatalog(() => import('../git/git-view.tsx')),
    'GitView',
  ),
});

const terminal = createRoute({
  getParentRoute: () => workspace,
  path: '/terminal',
  component: lazyRouteComponent(
    withCatalog(() => import('../terminal/terminal-view.tsx')),
    'TerminalView',
  ),
});

const cluster = createRoute({
  getParentRoute: () => workspace,
  path: '/cluster',
  validateSearch: ({ from }: Record<string, unknown>): { from?: number | undefined } => ({
    from: typeof from === 'number' && Number.isSafeInteger(from) && from > 0 ? from : undefined,
  }),
  component: lazyRouteComponent(
    withCatalog(() => import('../cluster/cluster-view.tsx')),
    'ClusterView',
  ),
});

const datasets = createRoute({
  getParentRoute: () => workspace,
  path: '/datasets',
  component: lazyRouteComponent(
    withCatalog(() => import('../datasets/datasets-view.tsx')),
    'DatasetsView',
  ),
});

const newDataset = createRoute({
  getParentRoute: () => workspace,
  path: '/datasets/new',
  validateSearch: searchTexts('repo'),
  component: lazyRouteComponent(
    withCatalog(() => import('../datasets/new-dataset-view.tsx')),
    'NewDatasetView',
  ),
});

const dataset = createRoute({
  getParentRoute: () => workspace,
  path: '/datasets/$datasetId',
  validateSearch: readRowsPlace,
  component: lazyRouteComponent(
    withCatalog(() => import('../datasets/dataset-view.tsx')),
    'DatasetView',
  ),
});

const papers = createRoute({
  getParentRoute: () => workspace,
  path: '/papers',
  validateSearch: searchTexts('q', 'from', 'to', 'sources'),
  component: lazyRouteComponent(
    withCatalog(() => import('../papers/papers-view.tsx')),
    'PapersView',
  ),
});

const knowledge = [notes, newNote, note, editNote, papers, datasets, newDataset, dataset] as const;

const tasks = createRoute({
  getParentRoute: () => workspace,
  path: '/tasks',
  component: lazyRouteComponent(
    withCatalog(() => import('../tasks/tasks-view.tsx')),
    'TasksView',
  ),
});

const newTask = createRoute({
  getParentRoute: () => workspace,
  path: '/tasks/new',
  component: lazyRouteComponent(
    withCatalog(() => import('../tasks/task-form.tsx')),
    'NewTaskView',
  ),
});

const task = createRoute({
  getParentRoute: () => workspace,
  path: '/tasks/$taskId',
  component: lazyRouteComponent(
    withCatalog(() => import('../tasks/task-view.tsx')),
    'TaskView',
  ),
});

const editTask = createRoute({
  getParentRoute: () => workspace,
  path: '/tasks/$taskId/edit',
  component: lazyRouteComponent(
    withCatalog(() => import('../tasks/task-form.tsx')),
    'EditTaskView',
  ),
});

const skills = createRoute({
  getParentRoute: () => workspace,
  path: '/skills',
  validateSearch: searchTexts('q'),
  component: lazyRouteComponent(
    withCatalog(() => import('../skills/skills-view.tsx')),
    'SkillsView',
  ),
});

const newSkill = createRoute({
  getParentRoute: () => workspace,
  path: '/skills/new',
  component: lazyRouteComponent(
    withCatalog(() => import('../skills/skill-form.tsx')),
    'NewSkillView',
  ),
});

const skill = createRoute({
  getParentRoute: () => workspace,
  path: '/skills/$skillId',
  component: lazyRouteComponent(
    withCatalog(() => import('../skills/skill-view.tsx')),
    'SkillView',
  ),
});

const editSkill = createRoute({
  getParentRoute: () => workspace,
  path: '/skills/$skillId/edit',
  component: lazyRouteComponent(
    withCatalog(() => import('../skills/skill-form.tsx')),
    'EditSkillView',
  ),
});

const automation = [tasks, newTask, task, editTask, skills, newSkill, skill, editSkill] as const;
const machines = [permissions, members, mcp, git, terminal, cluster] as const;
const workspacePages = workspace.addChildren([
  overview,
  newChat,
  chat,
  files,
  search,
  runs,
  run,
  reports,
  report,
  ...knowledge,
  ...automation,
  ...machines,
]);
const servicePages = service.addChildren([settings, tokens, usage, audit, bots, health]);

export const router = createRouter({
  routeTree: rootRoute.addChildren([home, servicePages, workspacePages]),
  defaultPreload: 'intent',
  defaultPendingComponent: Pending,
  defaultPendingMs: 150,
  defaultErrorComponent: RouteProblem,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
