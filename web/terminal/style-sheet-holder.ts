/**
 * Returns an element whose text is a style sheet of the page for as long as the element exists. The content security
 * policy refuses style elements, but allows style sheets that a script makes. The build lets xterm.js use it
 * (web/vite.config.ts).
 */
export function styleSheetHolder(): HTMLElement {
  const holder = document.createElement('span');
  const sheet = new CSSStyleSheet();
  holder.hidden = true;
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  Object.defineProperty(holder, 'textContent', { set: (text: string) => sheet.replaceSync(text) });
  holder.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    Element.prototype.remove.call(holder);
  };
  return holder;
}
