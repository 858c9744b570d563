import access from './access.json';
import conversations from './conversations.json';
import parts from './parts.json';
import shell from './shell.json';
import workspaces from './workspaces.json';

/**
 * Strings needed before a page is open. A page's strings are in a file with its name next to this one, with a line in
 * `later.ts`.
 */
export const FIRST = {
  access,
  conversations,
  parts,
  shell,
  workspaces,
};
