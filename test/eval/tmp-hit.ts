import { WAYS } from './citations/baselines.ts';
import { locatedInWice, readWice } from './citations/collections.ts';
import { measureLocation } from './citations/quote-location.ts';
const claims = locatedInWice(await readWice('/work/data/wice', 'dev'));
const { found, hit, whole, precision } = measureLocation(claims, WAYS.findQuote);
console.log(process.argv[2], found.toFixed(4), hit.toFixed(4), whole.toFixed(4), precision.toFixed(4));
