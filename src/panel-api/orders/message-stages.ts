// The stages of one message: Kabul → Kontroller → Kuyruk → Operatöre verildi → Rapor. A stage counts as done only if that is
// certain; the stage where the message failed is marked.

import { iso } from '../contract/input.ts';
import type { MessageState, MessageView } from './contract.ts';
import type { MessageDetail } from './recipient-lines.ts';

type Stages = MessageView['stages'];
type Key = Stages[number]['key'];
/** How many of the five stages were done, and the one at which the message failed. */
type Course = { done: Key[]; stopped: Key | null };

const till = (count: number): Key[] => order.slice(0, count);
const order: Key[] = ['accepted', 'checked', 'queued', 'handed-over', 'reported'];

// By the number of the reason (orders/reasons.ts). Other reasons come from a carrier that had the message.
const courses: Record<number, Course> = {
  1: { done: till(1), stopped: 'checked' },
  2: { done: till(1), stopped: 'checked' },
  3: { done: till(1), stopped: 'checked' },
  4: { done: till(1), stopped: 'checked' },
  9: { done: till(2), stopped: 'queued' },
  // The carrier rejected the message, at once or by a receipt: only the rejection itself is certain.
  12: { done: [...till(3), 'reported'], stopped: null },
  13: { done: [...till(3), 'reported'], stopped: null },
  14: { done: till(4), stopped: 'reported' },
  15: { done: till(3), stopped: 'handed-over' },
  17: { done: till(3), stopped: 'handed-over' },
  18: { done: till(3), stopped: 'handed-over' },
  19: { done: till(3), stopped: 'handed-over' },
};

export function stagesOf(one: MessageDetail, state: MessageState, reason: number, submittedAt: Date | null): Stages {
  const course = courseOf(one, state, reason, submittedAt);
  const due = one.orderState === 'scheduled' ? null : one.sendAt;
  const at: Record<Key, Date | null> = {
    accepted: one.submitAt,
    checked: course.stopped === 'checked' ? one.finalAt : one.submitAt,
    queued: course.stopped === 'queued' ? one.finalAt : due,
    // Stored until the final receipt; afterwards only the end is known.
    'handed-over': course.stopped === 'handed-over' ? one.finalAt : submittedAt,
    reported: one.finalAt,
  };
  return order.map(key => {
    const isDone = course.done.includes(key);
    const isStopped = course.stopped === key;
    return { key, isDone, isStopped, at: isDone || isStopped ? iso(at[key]) : null };
  });
}

function courseOf(one: MessageDetail, state: MessageState, reason: number, submittedAt: Date | null): Course {
  if (state === 'queued') return { done: till(one.orderState === 'scheduled' ? 2 : 3), stopped: null };
  if (state === 'with-carrier') return { done: till(4), stopped: null };
  const course = (state !== 'delivered' && courses[reason]) || { done: till(5), stopped: null };
  if (submittedAt && !course.done.includes('handed-over') && course.stopped === null)
    return { ...course, done: till(5) };
  return course;
}
