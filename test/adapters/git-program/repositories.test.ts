import { gitRepositories } from '../../../lib/adapters/git-program/repositories.ts';
import { describeRepositories, settingsFor } from '../../contract/repositories.contract.ts';

describeRepositories('the git program', {
  open: (server, options) =>
    gitRepositories({ ...settingsFor(server, options), searchPath: process.env.PATH ?? '' }),
});
