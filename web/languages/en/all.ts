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

/** A room's words are a file of its name beside this one, and a line here. */
export const ENGLISH = {
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
