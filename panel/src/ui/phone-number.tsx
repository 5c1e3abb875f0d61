// A telephone number anywhere in the console: readable form, link to its page, copy button with plain digits.
import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { phone, phoneDigits } from '../format.ts';
import { paths } from '../paths.ts';
import { t } from '../text/language.ts';
import { CopyButton } from './copy.tsx';

export function PhoneNumber(props: { value: string; copy?: boolean; link?: boolean }) {
  const digits = phoneDigits(props.value);
  const linked = props.link !== false && digits.length >= 7;
  return (
    <Group gap={2} wrap="nowrap" display="inline-flex">
      {linked ? (
        <Link to={paths.number(digits)} className="plain nowrap" onClick={event => event.stopPropagation()}>
          {phone(props.value)}
        </Link>
      ) : (
        <span className="nowrap">{phone(props.value)}</span>
      )}
      {props.copy !== false && <CopyButton value={digits || props.value} label={t.copy.number} />}
    </Group>
  );
}
