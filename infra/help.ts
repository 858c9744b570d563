import groups from './scripts.json' with { type: 'json' };

/** `npm run help`: prints one line per script of package.json. */
for (const [group, scripts] of Object.entries(groups)) {
  console.log(`\n${group}`);
  for (const [name, text] of Object.entries(scripts)) {
    const command = ['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name}`;
    console.log(`  ${command.padEnd(30)}${text}`);
  }
}
