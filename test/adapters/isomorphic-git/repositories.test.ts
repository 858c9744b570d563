import { isomorphicGitRepositories } from '../../../lib/adapters/isomorphic-git/repositories.ts';
import {
  describeRepositories,
  type RepositoriesSetup,
  settingsFor,
} from '../../contract/repositories.contract.ts';
import { describeChanges } from '../../contract/repository-changes.contract.ts';

const setup: RepositoriesSetup = {
  open: (server, options) => isomorphicGitRepositories(settingsFor(server, options)),
};
describeRepositories('isomorphic-git', setup);
describeChanges('isomorphic-git', setup);
