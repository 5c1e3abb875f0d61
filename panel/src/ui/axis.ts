// Axes of charts. Steps are 1, 2 or 5 times a power of ten, so every label is exact and unique. Times show the clock, and the
// day too where a chart spans more than one.
import { compactNumber, dateMinute, number, timeOfDay } from '../format.ts';

const stepsMost = 4;
const compactFrom = 1_000_000;
const dayMs = 86_400_000;

/** From 0 to the first round figure that is not below `max`; whole numbers only. */
export function roundTicks(max: number): number[] {
  const rough = Math.max(1, max) / stepsMost;
  const power = 10 ** Math.max(0, Math.floor(Math.log10(rough)));
  const step = [1, 2, 5, 10].map(part => part * power).find(one => one >= rough) ?? power * 10;
  const last = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: last + 1 }, (_, at) => at * step);
}

export function axisLabel(value: number): string {
  return value < compactFrom ? number(value) : compactNumber(value);
}

/** Formats the times of one chart: the clock within a day, otherwise with the date. */
export function momentLabel(moments: string[]): (at: string) => string {
  const times = moments.map(one => Date.parse(one));
  return Math.max(...times) - Math.min(...times) < dayMs ? timeOfDay : dateMinute;
}

const dotsMost = 40;

/** Whether a line needs dots: it has few points, or a point may stand alone between gaps. */
export function needsDots(data: Record<string, unknown>[], names: string[]): boolean {
  return names.some(name => {
    const measured = data.filter(point => point[name] !== undefined).length;
    return measured < data.length && measured < dotsMost;
  });
}

/** Why a line is not drawn: a single moment is no line, and one that lies on its axis says less than a word. */
export function insteadOfLine(data: Record<string, unknown>[], names: string[]): 'gathering' | 'allZero' | null {
  const values = data.map(point => names.map(name => point[name]).filter(value => value !== undefined));
  if (values.filter(measured => measured.length > 0).length < 2) return 'gathering';
  return values.flat().every(value => value === 0) ? 'allZero' : null;
}
