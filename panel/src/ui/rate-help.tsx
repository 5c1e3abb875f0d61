// The button that explains the delivery rate, the same wherever the rate is shown.
import { ActionIcon, Popover, Text } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { t } from '../text/language.ts';

export function RateHelp() {
  return (
    <Popover width={280} withArrow>
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size={24} aria-label={t.orders.rateHelpLabel}>
          <IconInfoCircle size={15} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm">{t.orders.rateHelp}</Text>
      </Popover.Dropdown>
    </Popover>
  );
}
