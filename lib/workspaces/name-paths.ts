interface NamedFile {
  workspaceId?: string | undefined;
  path?: string | undefined;
}

/**
 * Returns a function that puts the name of its workspace before the path of a file, for texts about several
 * workspaces, which may have files of the same path. Workspaces of the same name also show the end of their ID.
 */
export function pathNamer(
  workspaces: readonly { id: string; name: string }[],
): <File extends NamedFile>(file: File) => File {
  const count = (name: string) => workspaces.filter((each) => each.name === name).length;
  const names = new Map(
    workspaces.map(({ id, name }) => [id, count(name) === 1 ? name : `${name} (${id.slice(-8)})`]),
  );
  return (file) => {
    const name = names.get(file.workspaceId ?? '');
    return name === undefined || file.path === undefined ? file : { ...file, path: `${name}/${file.path}` };
  };
}
