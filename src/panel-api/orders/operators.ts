// Operators in SQL: numbers are grouped by their first five national digits (at most 10,000 groups), and the plan in phone.ts
// names the holder of each group. Only one block of the plan is finer, and it belongs to no named operator.
import { type Operator, operatorOf } from '../../numbers/operators.ts';

const blockSize = 100_000;
const turkishMobile = { from: 9_050_000, to: 9_060_000 };

export function operatorOfBlock(block: number): Operator {
  return operatorOf(block * blockSize);
}

const blocksOf = new Map<Operator, number[]>();

/** The blocks of one operator; `other` is everything that no named operator holds. */
export function blocksOfOperator(operator: Exclude<Operator, 'other'>): number[] {
  if (blocksOf.size === 0)
    for (let block = turkishMobile.from; block < turkishMobile.to; block++) {
      const holder = operatorOfBlock(block);
      const known = blocksOf.get(holder);
      if (known) known.push(block);
      else blocksOf.set(holder, [block]);
    }
  return blocksOf.get(operator) ?? [];
}

export const namedOperators = ['turkcell', 'vodafone', 'turktelekom'] as const;
