import errorMessages from '../../../lib/error-messages/zh-CN.json';
import access from './access.json';
import agent from './agent.json';
import audit from './audit.json';
import bots from './bots.json';
import broken from './broken.json';
import chat from './chat.json';
import cluster from './cluster.json';
import conversations from './conversations.json';
import datasets from './datasets.json';
import files from './files.json';
import git from './git.json';
import health from './health.json';
import index from './index.json';
import mcp from './mcp.json';
import members from './members.json';
import models from './models.json';
import notes from './notes.json';
import palette from './palette.json';
import papers from './papers.json';
import parts from './parts.json';
import people from './people.json';
import permissions from './permissions.json';
import research from './research.json';
import search from './search.json';
import settings from './settings.json';
import sharing from './sharing.json';
import shell from './shell.json';
import skills from './skills.json';
import start from './start.json';
import tasks from './tasks.json';
import terminal from './terminal.json';
import tokens from './tokens.json';
import usage from './usage.json';
import verify from './verify.json';
import workspaces from './workspaces.json';

/** All words in one piece, as in ../en: a test holds that both have the same words. */
export const CHINESE = {
  access,
  agent,
  audit,
  bots,
  broken,
  chat,
  cluster,
  conversations,
  datasets,
  files,
  git,
  health,
  index,
  mcp,
  members,
  models,
  notes,
  palette,
  papers,
  parts,
  people,
  permissions,
  research,
  search,
  settings,
  sharing,
  shell,
  skills,
  start,
  tasks,
  terminal,
  tokens,
  usage,
  verify,
  workspaces,
};

/** By code. English has none, because the service's own sentences are English. */
export const ERRORS = errorMessages;
