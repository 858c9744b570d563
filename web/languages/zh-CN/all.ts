import access from './access.json';
import agent from './agent.json';
import chat from './chat.json';
import conversations from './conversations.json';
import files from './files.json';
import notes from './notes.json';
import palette from './palette.json';
import parts from './parts.json';
import research from './research.json';
import search from './search.json';
import settings from './settings.json';
import shell from './shell.json';
import workspaces from './workspaces.json';

/** As in ../en: a test holds that both have the same words. */
export const CHINESE = {
  access,
  agent,
  chat,
  conversations,
  files,
  notes,
  palette,
  parts,
  research,
  search,
  settings,
  shell,
  workspaces,
};
