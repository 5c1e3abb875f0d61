// A time: relative within a day, exact on hover and focus, with "(TSİ)" if the browser is in another zone.
import { Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { dateTime, isElsewhere, relative } from '../format.ts';
import { t } from '../text/language.ts';

const tickMs = 10_000;

export function useNow(everyMs = tickMs): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

export function Time(props: { at: string | null | undefined; exact?: boolean }) {
  const now = useNow();
  if (!props.at) return <span>–</span>;
  const exact = `${dateTime(props.at)}${isElsewhere() ? ` ${t.time.turkey}` : ''}`;
  if (props.exact)
    return (
      <time dateTime={props.at} className="nowrap">
        {exact}
      </time>
    );
  return (
    <Tooltip label={exact}>
      <time dateTime={props.at} className="nowrap">
        {relative(props.at, Math.max(now, Math.min(Date.now(), Date.parse(props.at))))}
      </time>
    </Tooltip>
  );
}
