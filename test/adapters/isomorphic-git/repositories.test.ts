import { isomorphicGitRepositories } from '../../../lib/adapters/isomorphic-git/repositories.ts';
import { describeRepositories, settingsFor } from '../../contract/repositories.contract.ts';

describeRepositories('isomorphic-git', {
  open: (server, options) => isomorphicGitRepositories(settingsFor(server, options)),
});
