import type { Sample } from './measure.ts';

const CHARTS = [
  ['memory', 'Memory (RSS, MB)'],
  ['descriptors', 'Open descriptors'],
  ['removed', 'Descriptors of removed files'],
  ['threads', 'Threads'],
  ['data', 'Data folder (MB)'],
  ['index', 'Index (MB)'],
  ['files', 'Files in the data folder'],
] as const satisfies [keyof Sample, string][];

const WIDTH = 420;
const HEIGHT = 150;
const LEFT = 56;
const TOP = 28;
const CELL = { width: WIDTH + LEFT + 24, height: HEIGHT + TOP + 34 };
const COLUMNS = 2;

/** Draws one chart per measure, each from 0 to its own maximum, as an SVG. */
export function drawSamples(samples: Sample[], title: string): string {
  const rows = Math.ceil(CHARTS.length / COLUMNS);
  const charts = CHARTS.map(([field, name], at) => {
    const x = (at % COLUMNS) * CELL.width + LEFT;
    const y = Math.floor(at / COLUMNS) * CELL.height + TOP + 30;
    return `<g transform="translate(${x} ${y})">${drawChart(samples, field, name)}</g>`;
  });
  const size = `width="${COLUMNS * CELL.width}" height="${rows * CELL.height + 40}"`;
  const style =
    '<style>text{font:12px sans-serif}.title{font-size:15px}.line{fill:none;stroke:#0b6bcb}</style>';
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${style}<rect width="100%" height="100%" fill="#fff"/>
<text class="title" x="${LEFT}" y="22">${title}</text>
${charts.join('\n')}
</svg>
`;
}

function drawChart(samples: Sample[], field: keyof Sample, name: string): string {
  const most = Math.max(1, ...samples.map((sample) => sample[field]));
  const last = Math.max(1, samples.at(-1)?.minute ?? 1);
  const points = samples.map((sample) => {
    const x = (sample.minute / last) * WIDTH;
    return `${x.toFixed(1)},${(HEIGHT - (sample[field] / most) * HEIGHT).toFixed(1)}`;
  });
  return [
    `<text x="0" y="-8">${name}</text>`,
    `<path d="M0 0V${HEIGHT}H${WIDTH}" fill="none" stroke="#888"/>`,
    `<text x="-6" y="10" text-anchor="end">${most}</text>`,
    `<text x="-6" y="${HEIGHT}" text-anchor="end">0</text>`,
    `<text x="${WIDTH}" y="${HEIGHT + 16}" text-anchor="end">${last} min</text>`,
    `<polyline class="line" stroke-width="2" points="${points.join(' ')}"/>`,
  ].join('');
}
