// The roles that may be chosen for a member, the least first.
import type { MemberRole } from '../../../../src/panel-api/contract/facts.ts';
import { t } from '../../text/language.ts';

export const roleOptions = (): { value: MemberRole; label: string }[] => [
  { value: 'viewer', label: t.roles.viewer },
  { value: 'sender', label: t.roles.sender },
  { value: 'owner', label: t.roles.owner },
];
