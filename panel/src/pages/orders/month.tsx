// A month as weeks from Monday; days on which something is planned are buttons.
import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { locale, number, toTurkeyTime } from '../../format.ts';
import { t } from '../../text/language.ts';
import { weeksOf } from './weeks.ts';

type Props = {
  days: Map<string, { orders: number; people: number }>;
  chosen: string | null;
  onChoose: (day: string | null) => void;
};

export function Month({ days, chosen, onChoose }: Props) {
  const [month, setMonth] = useState(() => (chosen ?? [...days.keys()][0] ?? toTurkeyTime(new Date())).slice(0, 7));
  const step = (by: number) => {
    const [year, no] = month.split('-').map(Number) as [number, number];
    setMonth(new Date(Date.UTC(year, no - 1 + by, 1)).toISOString().slice(0, 7));
  };
  const title = new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const weekday = new Intl.DateTimeFormat(locale(), { weekday: 'short', timeZone: 'UTC' });
  const weeks = weeksOf(month);
  return (
    <div>
      <Group justify="space-between" mb="xs">
        <ActionIcon variant="default" aria-label={t.dates.previousMonth} onClick={() => step(-1)}>
          <IconChevronLeft size={16} />
        </ActionIcon>
        <Text fw="var(--fw-strong)" aria-live="polite">
          {title.format(new Date(`${month}-15T00:00:00Z`))}
        </Text>
        <ActionIcon variant="default" aria-label={t.dates.nextMonth} onClick={() => step(1)}>
          <IconChevronRight size={16} />
        </ActionIcon>
      </Group>
      <table className="month">
        <thead>
          <tr>
            {weeks[0]!.map(day => (
              <th key={day} scope="col" className="month-head">
                {weekday.format(new Date(`${day}T00:00:00Z`))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map(week => (
            <tr key={week[0]}>
              {week.map(day => (
                <td key={day} className="month-cell" data-outside={day.slice(0, 7) !== month || undefined}>
                  <Day day={day} total={days.get(day)} isChosen={day === chosen} onChoose={onChoose} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

type DayProps = {
  day: string;
  total: { orders: number; people: number } | undefined;
  isChosen: boolean;
  onChoose: Props['onChoose'];
};

function Day({ day, total, isChosen, onChoose }: DayProps) {
  const dayNo = String(Number(day.slice(8)));
  if (!total) return <span className="month-day">{dayNo}</span>;
  const sentence = t.scheduled.ofDay(number(total.orders), number(total.people));
  return (
    <button type="button" className="month-day" aria-pressed={isChosen} onClick={() => onChoose(isChosen ? null : day)}>
      <span aria-hidden="true">{dayNo}</span>
      <span className="visually-hidden">{`${dayNo}: ${sentence}`}</span>
      <b aria-hidden="true">{number(total.people)}</b>
    </button>
  );
}
