// Preloaded into a function: prints how long its native libraries took to load.
const load = process.dlopen;
process.dlopen = (...args) => {
  const started = performance.now();
  try {
    return load.apply(process, args);
  } finally {
    process.stderr.write(`loaded ${args[1]} in ${(performance.now() - started).toFixed(1)} ms\n`);
  }
};
