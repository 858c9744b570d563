import { JUDGE_WORDS, SUPPORT_WORDS } from '../../../lib/api-contract/support-words.ts';
import agent from './agent.json';
import audit from './audit.json';
import bots from './bots.json';
import broken from './broken.json';
import chat from './chat.json';
import cluster from './cluster.json';
import datasets from './datasets.json';
import documents from './documents.json';
import evidence from './evidence.json';
import feedback from './feedback.json';
import files from './files.json';
import { FIRST_USE } from './first-use.ts';
import folders from './folders.json';
import git from './git.json';
import health from './health.json';
import index from './index.json';
import mcp from './mcp.json';
import members from './members.json';
import memories from './memories.json';
import notes from './notes.json';
import palette from './palette.json';
import papers from './papers.json';
import people from './people.json';
import permissions from './permissions.json';
import research from './research.json';
import search from './search.json';
import settings from './settings.json';
import sharing from './sharing.json';
import skills from './skills.json';
import sources from './sources.json';
import tasks from './tasks.json';
import terminal from './terminal.json';
import tokens from './tokens.json';
import usage from './usage.json';
import verify from './verify.json';
import webhooks from './webhooks.json';

/** Strings of the pages, fetched when the first page opens. */
export const LATER = {
  ...FIRST_USE,
  agent,
  audit,
  bots,
  broken,
  chat: { ...chat, support: { ...chat.support, by: JUDGE_WORDS.en, state: SUPPORT_WORDS.en } },
  cluster,
  datasets,
  documents,
  evidence,
  feedback,
  files,
  folders,
  git,
  health,
  index,
  mcp,
  members,
  memories,
  notes,
  palette,
  papers,
  people,
  permissions,
  research,
  search,
  settings,
  sharing,
  skills,
  sources,
  tasks,
  terminal,
  tokens,
  usage,
  verify,
  webhooks,
};
