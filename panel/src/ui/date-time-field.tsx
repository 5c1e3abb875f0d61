// Date and time as Turkey writes them; the value is Turkey's wall clock as text, so the zone of the browser never
// enters. Loaded when a schedule is first wanted.
import '@mantine/dates/styles.css';
import 'dayjs/locale/tr';
import { DatesProvider, DateTimePicker } from '@mantine/dates';
import { useId } from 'react';
import { toTurkeyTime } from '../format.ts';
import { languageCode, t } from '../text/language.ts';

type Props = {
  label: string;
  description?: string;
  value: string | null;
  onChange: (value: string | null) => void;
  /** Days before today that may be chosen. */
  daysBack?: number;
};
const dayMs = 86_400_000;
// As every other date of the console is written in that language.
const formats = {
  tr: { valueFormat: 'DD.MM.YYYY HH:mm', placeholder: 'GG.AA.YYYY SS:DD' },
  en: { valueFormat: 'DD/MM/YYYY HH:mm', placeholder: 'DD/MM/YYYY HH:MM' },
};

// Weekends are not marked: their red falls short of 4.5:1, and sending knows no weekend.
export default function DateTimeField(props: Props) {
  // The calendar is a dialog, named after its field.
  const id = useId();
  return (
    <DatesProvider settings={{ locale: languageCode(), firstDayOfWeek: 1, weekendDays: [] }}>
      <DateTimePicker
        id={id}
        popoverProps={{ id }}
        label={props.label}
        description={props.description}
        value={props.value}
        onChange={props.onChange}
        {...formats[languageCode()]}
        minDate={toTurkeyTime(new Date(Date.now() - (props.daysBack ?? 0) * dayMs)).slice(0, 10)}
        maw={320}
        clearable
        clearButtonProps={{ 'aria-label': t.common.remove }}
        ariaLabels={{
          previousMonth: t.dates.previousMonth,
          nextMonth: t.dates.nextMonth,
          previousYear: t.dates.previousYear,
          nextYear: t.dates.nextYear,
        }}
        timePickerProps={{ hoursInputLabel: t.dates.hours, minutesInputLabel: t.dates.minutes }}
        submitButtonProps={{ 'aria-label': t.dates.done }}
      />
    </DatesProvider>
  );
}
