import { gitRepositories } from '../../../lib/adapters/git/repositories.ts';
import { isomorphicGitRepositories } from '../../../lib/adapters/isomorphic-git/repositories.ts';
import { describeRepositories, type OpenOptions } from '../../contract/repositories.contract.ts';
import { GIT_TOKEN, type GitServer } from '../../support/git-server.ts';

function settingsFor(server: GitServer, options: OpenOptions = {}) {
  const usual = { codeHost: server.host, allowPrivate: true };
  return { ...usual, ...options, token: async () => GIT_TOKEN, ca: server.ca };
}

describeRepositories('the git program', {
  open: (server, options) =>
    gitRepositories({ ...settingsFor(server, options), searchPath: process.env.PATH ?? '' }),
});

describeRepositories('isomorphic-git', {
  open: (server, options) => isomorphicGitRepositories(settingsFor(server, options)),
});
