// A button whose action needs a role. Without the role it is visible, disabled, and names the role. data-disabled instead of
// disabled, so that keyboard and screen reader reach the explanation.
import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { MouseEventHandler } from 'react';
import type { MemberRole } from '../../../src/panel-api/contract/facts.ts';
import { useMay, useMe } from '../session.tsx';
import { t } from '../text/language.ts';
import { Note } from './notes.tsx';

type Props = ButtonProps & {
  need: MemberRole;
  /** Another reason why it cannot be pressed now. */
  reason?: string | null;
  onClick?: MouseEventHandler<HTMLButtonElement>;
  type?: 'button' | 'submit';
  'aria-label'?: string;
};

export function RoleButton({ need, reason, onClick, type = 'button', ...rest }: Props) {
  const may = useMay(need);
  const isViewing = useMe().viewing !== null;
  const why = isViewing ? t.support.readOnly : may ? (reason ?? null) : t.roles.needs(t.roles[need]);
  if (!why) return <Button {...rest} type={type} onClick={onClick} />;
  return (
    <Tooltip label={why}>
      <Button {...rest} type="button" data-disabled aria-disabled onClick={event => event.preventDefault()} />
    </Tooltip>
  );
}

/** Shown instead of a list that needs a role: names the role. */
export function NeedsRole({ need }: { need: MemberRole }) {
  return <Note kind="warn">{t.roles.needs(t.roles[need])}</Note>;
}
