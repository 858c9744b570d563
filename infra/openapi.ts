import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { activityRoutes } from '../functions/activity/routes.ts';
import { agentRoutes } from '../functions/agent/routes.ts';
import { verifyRoutes } from '../functions/agent/verify-routes.ts';
import { botRoutes } from '../functions/bots/routes.ts';
import { openaiRoutes } from '../functions/chat/openai-routes.ts';
import { chatRoutes } from '../functions/chat/routes.ts';
import { clusterRoutes } from '../functions/cluster/routes.ts';
import { conversationRoutes } from '../functions/conversations/routes.ts';
import { datasetRoutes } from '../functions/datasets/routes.ts';
import { docsRoutes } from '../functions/docs/routes.ts';
import { fileRoutes } from '../functions/files/routes.ts';
import { generateRoutes } from '../functions/generate/routes.ts';
import { gitRoutes } from '../functions/git/routes.ts';
import { indexingRoutes } from '../functions/indexing/routes.ts';
import { mcpRoutes } from '../functions/mcp/routes.ts';
import { modelRoutes } from '../functions/models/routes.ts';
import { memoryRoutes } from '../functions/notes/memory-routes.ts';
import { noteRoutes } from '../functions/notes/routes.ts';
import { paperRoutes } from '../functions/papers/routes.ts';
import { evidenceRoutes } from '../functions/research/evidence-routes.ts';
import { researchRoutes } from '../functions/research/routes.ts';
import { settingsRoutes } from '../functions/settings/routes.ts';
import { webhookRoutes } from '../functions/settings/webhook-routes.ts';
import { skillRoutes } from '../functions/skills/routes.ts';
import { systemRoutes } from '../functions/system/routes.ts';
import { taskRoutes } from '../functions/tasks/routes.ts';
import { sourceRoutes } from '../functions/tasks/source-routes.ts';
import { terminalRoutes } from '../functions/terminal/routes.ts';
import { sessionRoutes } from '../functions/terminal/session-routes.ts';
import { offboardingRoutes } from '../functions/tokens/offboarding-routes.ts';
import { tokenRoutes } from '../functions/tokens/routes.ts';
import { workspaceRoutes } from '../functions/workspaces/routes.ts';
import { openApiDocument } from '../lib/http/openapi.ts';
import packageFile from '../package.json' with { type: 'json' };

/** Every group of routes by its tag, in the order of the document. A test compares the groups with functions/. */
export const ROUTE_GROUPS = {
  workspaces: workspaceRoutes,
  files: fileRoutes,
  indexing: indexingRoutes,
  chat: [...chatRoutes, ...openaiRoutes],
  conversations: conversationRoutes,
  agent: [...agentRoutes, ...verifyRoutes],
  research: [...researchRoutes, ...evidenceRoutes],
  terminal: [...terminalRoutes, ...sessionRoutes],
  datasets: datasetRoutes,
  papers: paperRoutes,
  skills: skillRoutes,
  tasks: [...taskRoutes, ...sourceRoutes],
  activity: activityRoutes,
  notes: [...noteRoutes, ...memoryRoutes],
  generate: generateRoutes,
  git: gitRoutes,
  cluster: clusterRoutes,
  models: modelRoutes,
  settings: [...settingsRoutes, ...webhookRoutes],
  tokens: [...tokenRoutes, ...offboardingRoutes],
  bots: botRoutes,
  mcp: mcpRoutes,
  system: systemRoutes,
  docs: docsRoutes,
};

const TAG_DESCRIPTIONS: Record<keyof typeof ROUTE_GROUPS, string> = {
  workspaces: 'Folders of files, their members, and the permission rules of the agent.',
  files: 'Browse, read, write, upload, move, and delete the files of a workspace.',
  indexing: 'Index a workspace for search, and see which files were skipped.',
  chat: 'Ask questions about a workspace and get a streamed answer with citations; search it.',
  conversations: 'Stored conversations and their attachments.',
  agent: 'Run the agent, follow a run, answer its approval requests, and check drafts.',
  research:
    'Research a question and get a report, or a table of answers per document, checked against the sources.',
  terminal: 'Run shell commands, and open terminals, in a workspace.',
  datasets: 'Download datasets from a hub or import local ones, preview them, and link them to workspaces.',
  papers: 'Search scholarly sources and save papers to a workspace.',
  skills: 'Saved instructions for the agent.',
  tasks: 'Scheduled tasks and their runs.',
  activity: 'Activity of a workspace, usage and cost, budgets, and the audit log.',
  notes: 'Notes of a workspace, and facts to remember.',
  generate: 'Generate notes and reports from the files or the activity of a workspace.',
  git: 'Clone a repository into a workspace, pull, review, commit, and push changes.',
  cluster: 'The Kubernetes cluster that the agent works with.',
  models: 'Available language models.',
  settings: 'Settings of the service, and webhooks.',
  tokens: 'API tokens, the caller of a credential, and what people own.',
  bots: 'Callbacks of chat platforms.',
  mcp: 'The Model Context Protocol: this service as a server, and remote servers for the agent.',
  system: 'Health, storage, and network of the service.',
  docs: 'This document, and metadata for clients.',
};

/** Returns the document as text, ending in a newline. */
export function openApiText({ indent = 2 } = {}): string {
  return `${JSON.stringify(openApiDocument(ROUTE_GROUPS, TAG_DESCRIPTIONS, packageFile.version), null, indent)}\n`;
}

/** `npm run openapi`: writes to stdout, or to a file with `-- --out FILE`. */
if (import.meta.main) {
  const { values } = parseArgs({ options: { out: { type: 'string' } } });
  if (values.out === undefined) process.stdout.write(openApiText());
  else writeFileSync(values.out, openApiText());
}
