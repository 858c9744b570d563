import access from './access.json';
import conversations from './conversations.json';
import git from './git.json';
import parts from './parts.json';
import shell from './shell.json';
import workspaces from './workspaces.json';

/**
 * Words of what is seen before a room is entered. A room's words are a file of its name beside this one, and a line in
 * `later.ts`.
 */
export const FIRST = {
  access,
  conversations,
  git,
  parts,
  shell,
  workspaces,
};
