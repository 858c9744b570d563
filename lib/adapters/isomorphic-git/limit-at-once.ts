/** Limits how many tasks run at the same time; further ones wait for their turn. */
export function limitAtOnce(most: number) {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    while (underWay >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    underWay += 1;
    try {
      return await work();
    } finally {
      underWay -= 1;
      waiting.shift()?.();
    }
  };
}
