import load from './load.json' with { type: 'json' };
import measured from './measured.json' with { type: 'json' };

/** The assumed user actions and file sizes: load.json, or a variant of it. */
export type Load = typeof load;

/** A team's daily work and stored data, by its size. */
export type Work = ReturnType<typeof workOf>;

export function workOf(people: number, of: Load = load) {
  const { chats, searches, runs, savedFiles, visibleHours } = of.perPersonAndDay;
  // A visible tab of the console polls for changes.
  const otherRequests = of.perPersonAndDay.otherRequests + visibleHours * of.requestsPerVisibleHour;
  const workspaces = people * of.workspacesPerPerson;
  const files = workspaces * of.filesPerWorkspace;
  const saves = people * savedFiles;
  const changedFiles = Math.max(saves, files * of.changedShareOfFilesPerDay);
  // Commits of many changed files at once, by commands and git.
  const batches = (changedFiles - saves) / of.filesPerBatch;
  const sessions = saves / of.savesPerMaintenance;
  return {
    chats: people * chats,
    searches: people * searches,
    otherRequests: people * otherRequests,
    runs: people * runs,
    readers: people * runs * of.run.readers,
    /** Each request also runs an authorizer. */
    requests: people * (chats + searches + otherRequests + runs) + saves,
    commands: people * runs * of.run.commands,
    newEnvironments: people * runs * of.run.newEnvironments,
    saves,
    batches,
    sessions,
    maintenances: sessions + batches,
    changedFiles,
    workspaces,
    activeWorkspaces: people * of.activeWorkspacesPerPersonAndDay,
    files,
    passages: files * of.passagesPerFile,
  };
}

/** Index of the measured workspace size nearest to the load's, 250 files. */
const SIZE = 1;

/** Returns the table bytes read and written per day by commits and maintenance, as measured. */
export function churnOf(work: Work, of: Load): { read: number; written: number } {
  const { session, batch } = measured.churn;
  const bytes = (kind: 'Read' | 'Written') => {
    const each = (rhythm: typeof session, commits: number) =>
      (rhythm[`commit${kind}`][SIZE] ?? 0) * commits + (rhythm[`maintain${kind}`][SIZE] ?? 0);
    const sessions = work.sessions * each(session, of.savesPerMaintenance / session.commits);
    return sessions + work.batches * each(batch, of.filesPerBatch / batch.files);
  };
  return { read: bytes('Read'), written: bytes('Written') };
}

/** Returns the bytes of vectors, their index (four bits per dimension), and the text with its index. */
export function tableBytes(passages: number, dimensions: number): number {
  return passages * (dimensions * 4.5 + measured.churn.otherBytesPerPassage);
}
