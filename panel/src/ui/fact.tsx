// One line of a list of facts: what, and its value.
import { DataList } from '@mantine/core';
import type { ReactNode } from 'react';

export function Fact(props: { label: ReactNode; children: ReactNode }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{props.label}</DataList.ItemLabel>
      <DataList.ItemValue>{props.children}</DataList.ItemValue>
    </DataList.Item>
  );
}
