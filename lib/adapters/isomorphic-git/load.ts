/** Uses the default export, because a bundler that splits off a CommonJS package keeps only that. */
export async function loadGit() {
  return (await import('isomorphic-git')).default;
}
