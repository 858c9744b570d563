const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

export interface About {
  /** With names in the place of ids. Empty: it is an id that has no name. */
  said: string;
  ids: string[];
}

/** The subject of an entry in a readable form, and the ids that occur in it. */
export function readAbout(about: string, names: ReadonlyMap<string, string>): About {
  const ids = [...new Set(about.match(ID) ?? [])];
  if (ids[0] === about) return { said: names.get(about) ?? '', ids };
  return { said: about.replace(ID, (id) => names.get(id) ?? id), ids: ids.filter((id) => names.has(id)) };
}

/** Whether what an entry names is there no more: what it has done is to take it away. */
export function isGone({ action, outcome }: { action: string; outcome: string }): boolean {
  return outcome === 'done' && action.endsWith('.delete');
}
