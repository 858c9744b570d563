#!/usr/bin/env node
// The program of `npx workspace-research-service FOLDER…`: `wrs serve`, and the browser.
process.argv.splice(2, 0, 'serve', '--open');
await import('./wrs.mjs');
