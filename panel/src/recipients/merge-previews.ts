// A list of more than 50,000 becomes several orders: their dry runs added up to one picture.
import type { SendPreview } from '../../../src/panel-api/contract-send.ts';

const samplesMax = 1_000;
const sums = ['given', 'sendable', 'invalid', 'duplicate', 'blacklisted', 'nonConsented', 'texts', 'credits'] as const;
const sampled = ['invalid', 'duplicate', 'blacklisted', 'nonConsented'] as const;

export function mergePreviews(parts: { from: number; preview: SendPreview }[]): SendPreview {
  const [first, ...rest] = parts;
  if (!first) throw new Error('a draft has at least one part');
  const whole: SendPreview = structuredClone(first.preview);
  for (const { from, preview } of rest) {
    for (const key of sums) whole[key] += preview[key];
    for (const key of sampled) {
      const moved = preview.rows[key].map(sample => ({ ...sample, row: sample.row + from }));
      whole.rows[key] = [...whole.rows[key], ...moved].slice(0, samplesMax);
    }
    if (preview.longest && (!whole.longest || preview.longest.units > whole.longest.units)) {
      whole.longest = { ...preview.longest, row: preview.longest.row + from };
    }
    for (const [name, count] of Object.entries(preview.emptyFields)) {
      whole.emptyFields[name] = (whole.emptyFields[name] ?? 0) + count;
    }
    const known = new Set(whole.problems.map(problem => problem.code));
    whole.problems.push(...preview.problems.filter(problem => !known.has(problem.code)));
    whole.endsAt =
      preview.endsAt && whole.endsAt ? (preview.endsAt > whole.endsAt ? preview.endsAt : whole.endsAt) : null;
  }
  whole.balanceAfter = whole.balance - whole.credits;
  return whole;
}
