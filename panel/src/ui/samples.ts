// The recent values of a live page, for its charts: ten minutes, one point every two seconds.
import { useEffect, useState } from 'react';

const samplesMax = 300;

export function useSamples<T, Point>(
  data: T | undefined,
  atMs: number,
  pointOf: (data: T, atMs: number, before: T | undefined) => Point,
): Point[] {
  const [kept, setKept] = useState<{ points: Point[]; last: T | undefined; at: number }>({
    points: [],
    last: undefined,
    at: 0,
  });
  useEffect(() => {
    if (data === undefined) return;
    setKept(old => {
      if (old.at === atMs) return old;
      return { points: [...old.points, pointOf(data, atMs, old.last)].slice(-samplesMax), last: data, at: atMs };
    });
  }, [data, atMs, pointOf]);
  return kept.points;
}
