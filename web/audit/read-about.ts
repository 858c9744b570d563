const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

export interface About {
  /** The subject, with names in place of IDs. Empty if an ID has no name. */
  said: string;
  ids: string[];
}

/** Returns the subject of an entry in a readable form, and its IDs. */
export function readAbout(about: string, names: ReadonlyMap<string, string>): About {
  const ids = [...new Set(about.match(ID) ?? [])];
  if (ids[0] === about) return { said: names.get(about) ?? '', ids };
  return { said: about.replace(ID, (id) => names.get(id) ?? id), ids: ids.filter((id) => names.has(id)) };
}

/** Returns whether an entry's action deleted its subject. */
export function isGone({ action, outcome }: { action: string; outcome: string }): boolean {
  return outcome === 'done' && action.endsWith('.delete');
}
