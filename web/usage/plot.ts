/** A stacked bar, with its parts on top of each other. */
export interface Bar {
  key: string;
  parts: number[];
}

/** Returns the next round number, at least the value: 1, 2, or 5 with zeros. */
export function roundTop(value: number): number {
  if (!(value > 0)) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((each) => each * unit >= value * (1 - 1e-9)) ?? 10;
  return step * unit;
}

export interface Drawn {
  key: string;
  x: number;
  width: number;
  parts: { y: number; height: number; place: number }[];
}

/** Lays out bars side by side in a box of this size, with the scale's maximum at its top. */
export function drawBars(bars: Bar[], box: { width: number; height: number }, top: number): Drawn[] {
  const step = box.width / Math.max(1, bars.length);
  const width = Math.max(0.5, Math.min(40, step * 0.72));
  return bars.map(({ key, parts }, index) => {
    let y = box.height;
    const drawn = parts.map((value, place) => {
      const height = (Math.max(0, value) / top) * box.height;
      y -= height;
      return { y, height, place };
    });
    return {
      key,
      x: index * step + (step - width) / 2,
      width,
      parts: drawn.filter(({ height }) => height > 0),
    };
  });
}

/** Returns every day of the range, including days without usage; of more than `most`, the last ones. */
export function daysBetween(from: string, to: string, most = 366): string[] {
  const days: string[] = [];
  for (let at = Date.parse(to); at >= Date.parse(from) && days.length < most; at -= 24 * 60 * 60 * 1000)
    days.unshift(new Date(at).toISOString().slice(0, 10));
  return days;
}
