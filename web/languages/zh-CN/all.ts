import access from './access.json';
import agent from './agent.json';
import chat from './chat.json';
import conversations from './conversations.json';
import datasets from './datasets.json';
import files from './files.json';
import notes from './notes.json';
import papers from './papers.json';
import parts from './parts.json';
import settings from './settings.json';
import shell from './shell.json';
import skills from './skills.json';
import tasks from './tasks.json';
import workspaces from './workspaces.json';

/** As in ../en: a test holds that both have the same words. */
export const CHINESE = {
  access,
  agent,
  chat,
  conversations,
  datasets,
  files,
  notes,
  papers,
  parts,
  settings,
  shell,
  skills,
  tasks,
  workspaces,
};
