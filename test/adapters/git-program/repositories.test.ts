import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { findGit } from '../../../lib/adapters/git-program/find-git.ts';
import type { GitSandboxes } from '../../../lib/adapters/git-program/program.ts';
import { gitRepositories } from '../../../lib/adapters/git-program/repositories.ts';
import {
  describeRepositories,
  type RepositoriesSetup,
  settingsFor,
} from '../../contract/repositories.contract.ts';
import { describeChanges } from '../../contract/repository-changes.contract.ts';
import { sandboxesHere } from '../../support/processes/sandboxes.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const PATH = process.env.PATH ?? '';
const [alone, connected] = await Promise.all([
  sandboxesHere(),
  sandboxesHere({ network: 'host', hidden: [] }),
]);
/** The same pairs as in lib/wiring: one without network access, and one with access to the host's network. */
const pairs = alone.map(
  (each, index): GitSandboxes => ({ alone: each, connected: connected[index] ?? each }),
);

/**
 * Starting a sandbox per call is slow. In the default test suite, only functions/git and hostile do so; in
 * this lane, all calls do.
 */
const inEach = process.env.EVERY_SANDBOX === 'true' ? pairs : [];

for (const sandboxes of [undefined, ...inEach]) {
  const name = `the git program (${sandboxes?.alone.kind ?? 'no sandbox'})`;
  const { git } = await findGit(PATH, async () => sandboxes);
  if (git === undefined) throw new Error(`these tests need ${name}`);
  const setup: RepositoriesSetup = {
    open: (server, options) => gitRepositories({ ...settingsFor(server, options), git }),
  };
  describeRepositories(name, setup);
  describeChanges(name, setup);
}

describe.each([undefined, ...pairs])('findGit', (sandboxes) => {
  it('reports why it found no Git program', async () => {
    expect(await findGit('/nonexistent', async () => sandboxes)).toEqual({ reason: 'git is not in PATH' });
    const folder = await tempFolder();
    await writeFile(join(folder, 'git'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    expect((await findGit(folder, async () => sandboxes)).reason).toMatch(/git does not run/);
  });
});
