/** By its default export: of a CommonJS package that a bundler split off, only that is there. */
export async function loadGit() {
  return (await import('isomorphic-git')).default;
}
