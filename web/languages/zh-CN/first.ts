import access from './access.json';
import conversations from './conversations.json';
import parts from './parts.json';
import shell from './shell.json';
import workspaces from './workspaces.json';

/** Strings with the same keys as in ../en, as a test requires. */
export const FIRST = {
  access,
  conversations,
  parts,
  shell,
  workspaces,
};
