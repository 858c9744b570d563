import load from './load.json' with { type: 'json' };
import measured from './measured.json' with { type: 'json' };

/** What people do, and how large their files are: load.json, or a variant of it. */
export type Load = typeof load;

/** What a team of so many people does per day, and what it has. */
export interface Work {
  chats: number;
  searches: number;
  otherRequests: number;
  runs: number;
  commands: number;
  newEnvironments: number;
  /** Files that are saved one by one, each with a commit of its own. */
  saves: number;
  /** Commits of many changed files at once: from commands and git. */
  batches: number;
  /** A table is maintained when it was quiet for a while. */
  sessions: number;
  maintenances: number;
  changedFiles: number;
  workspaces: number;
  activeWorkspaces: number;
  files: number;
  passages: number;
}

export function workOf(people: number, of: Load = load): Work {
  const { chats, searches, otherRequests, runs, savedFiles } = of.perPersonAndDay;
  const workspaces = people * of.workspacesPerPerson;
  const files = workspaces * of.filesPerWorkspace;
  const saves = people * savedFiles;
  const changedFiles = Math.max(saves, files * of.changedShareOfFilesPerDay);
  const batches = (changedFiles - saves) / of.filesPerBatch;
  const sessions = saves / of.savesPerMaintenance;
  return {
    chats: people * chats,
    searches: people * searches,
    otherRequests: people * otherRequests,
    runs: people * runs,
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

/** Requests that reach the API; each has an authorizer. */
export function requestsOf({ chats, searches, otherRequests, runs, saves }: Work): number {
  return chats + searches + otherRequests + runs + saves;
}

/** Bytes that tables are read and written per day: commits and maintenance, as measured in a table of about this size. */
export function churnOf(work: Work, of: Load): { read: number; written: number } {
  const { session, batch, files } = measured.churn;
  const at = (values: number[]) => interpolate(files, values, of.filesPerWorkspace);
  const scale = tableBytes(1, of.dimensions) / tableBytes(1, measured.churn.dimensions);
  const saved = of.savesPerMaintenance / session.commits;
  const committed = of.filesPerBatch / batch.files;
  const perSession = (commit: number[], maintain: number[]) => at(commit) * saved + at(maintain);
  const perBatch = (commit: number[], maintain: number[]) => at(commit) * committed + at(maintain);
  return {
    read:
      scale *
      (work.sessions * perSession(session.commitRead, session.maintainRead) +
        work.batches * perBatch(batch.commitRead, batch.maintainRead)),
    written:
      scale *
      (work.sessions * perSession(session.commitWritten, session.maintainWritten) +
        work.batches * perBatch(batch.commitWritten, batch.maintainWritten)),
  };
}

/** Bytes written per byte of new vectors. */
export function amplification(of: Load): number {
  const work = workOf(1, of);
  return churnOf(work, of).written / (work.changedFiles * of.passagesPerFile * of.dimensions * 4);
}

/** Bytes of a vector in an answer of the embedder. */
export function vectorBytes({ dimensions, base64Vectors }: Load): number {
  const { floatBytesPerDimension, base64BytesPerDimension } = measured.embedding;
  return dimensions * (base64Vectors ? base64BytesPerDimension : floatBytesPerDimension);
}

/** Vectors, their index (four bits per dimension), and the text with its index. */
export function tableBytes(passages: number, dimensions: number): number {
  return passages * (dimensions * 4.5 + measured.churn.otherBytesPerPassage);
}

/** Between the measured sizes; beyond them as at the nearest, in proportion for larger ones. */
function interpolate(sizes: number[], values: number[], size: number): number {
  const last = sizes.length - 1;
  const place = Math.max(
    1,
    sizes.findIndex((each) => each >= size),
  );
  const [smaller = 0, larger = 1] = sizes.slice(place - 1, place + 1);
  const [from = 0, to = 0] = values.slice(place - 1, place + 1);
  if (size > (sizes[last] ?? 0)) return ((values[last] ?? 0) * size) / (sizes[last] ?? 1);
  return from + ((to - from) * (Math.max(size, smaller) - smaller)) / (larger - smaller);
}
