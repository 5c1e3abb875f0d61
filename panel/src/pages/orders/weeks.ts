// The weeks that show a month, from Monday to Sunday, as days `YYYY-MM-DD`.
const dayMs = 86_400_000;

export function weeksOf(month: string): string[][] {
  const first = new Date(`${month}-01T00:00:00Z`);
  const monday = first.getTime() - ((first.getUTCDay() + 6) % 7) * dayMs;
  const weeks: string[][] = [];
  for (let start = monday; start === monday || isoDay(start).startsWith(month); start += 7 * dayMs)
    weeks.push(Array.from({ length: 7 }, (_, i) => isoDay(start + i * dayMs)));
  return weeks;
}

const isoDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
