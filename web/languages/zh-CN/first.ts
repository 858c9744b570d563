import errorMessages from '../../../lib/error-messages/zh-CN.json';
import access from './access.json';
import conversations from './conversations.json';
import git from './git.json';
import parts from './parts.json';
import shell from './shell.json';
import workspaces from './workspaces.json';

/** As in ../en: a test requires the same keys. */
export const FIRST = {
  access,
  conversations,
  git,
  parts,
  shell,
  workspaces,
};

/** By code. English has none, because the service's own sentences are English. */
export const ERRORS = errorMessages;
