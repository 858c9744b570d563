/**
 * Saves bytes as a file on the person's computer. A link can't do this, because the API accepts no credential
 * in a URL.
 */
export function saveFile(bytes: Blob, name: string): void {
  const address = URL.createObjectURL(bytes);
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
