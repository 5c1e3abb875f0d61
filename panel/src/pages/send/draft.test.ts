import { expect, test } from 'vitest';
import { currentDraft, keepDraft } from './draft.ts';

const press = () => keepDraft({ isWanted: true });

test('a send that was pressed during the check is taken back by any edit, and by nothing else', () => {
  // Other files of this process have edited the same draft.
  keepDraft({ text: 'Bir', perHour: null });
  press();
  keepDraft({ isChecking: true, share: 0.4 });
  keepDraft({ share: null, isChecking: false });
  expect(currentDraft().isWanted).toBe(true);
  keepDraft({ text: 'Baska' });
  expect(currentDraft().isWanted).toBe(false);
  press();
  keepDraft({ text: 'Baska' });
  expect(currentDraft().isWanted).toBe(true);
  keepDraft({ summary: null, perHour: 500 });
  expect(currentDraft().isWanted).toBe(false);
});
