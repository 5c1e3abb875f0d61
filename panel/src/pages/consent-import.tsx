// Up to 5,000 consents from a file: map the columns, check every row against every rule, then store all or only the
// good ones. Accepted is not registered, and the page says so.
import { Button, FileButton, Group, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { ConsentRow } from '../../../src/panel-api/contract-consent.ts';
import { number } from '../format.ts';
import { paths } from '../paths.ts';
import { useChange, useRead } from '../queries.ts';
import { askBook } from '../recipients/client.ts';
import { t } from '../text/language.ts';
import { Card } from '../ui/card.tsx';
import { downloadText, toCsv } from '../ui/download.ts';
import { Note } from '../ui/notes.tsx';
import { Page } from '../ui/page.tsx';
import { RoleButton } from '../ui/role-button.tsx';
import { useUnsaved } from '../ui/unsaved.ts';
import { CheckResult } from './consents/check-result.tsx';
import { type ConsentMap, consentRows, consentTemplate, guessMap, mapFields } from './consents/map-rows.ts';
import { optionsOf } from './consents/parts.tsx';

const rowsMax = 5_000;

export default function ConsentImportPage() {
  const navigate = useNavigate();
  const brands = useRead('consent.overview', {}).data?.brands ?? [];
  const [brand, setBrand] = useState('');
  const [table, setTable] = useState<string[][]>([]);
  const [map, setMap] = useState<ConsentMap | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [checked, setChecked] = useState<ConsentRow[] | null>(null);
  const check = useChange('consent.check');
  const release = useUnsaved(table.length > 0);
  const done = () => {
    release();
    void navigate({ to: paths.consents() });
  };
  const add = useChange('consent.add', { done: ({ stored }) => t.consentImport.done(number(stored)), onDone: done });
  const load = async (file: File | null) => {
    if (!file) return;
    const { rows, problem } = await askBook('table', { file, rowsMax: rowsMax + 2 });
    setChecked(null);
    check.reset();
    setFailure(
      problem
        ? t.send.problemUnreadable
        : rows.length < 2
          ? t.send.problemEmpty
          : rows.length - 1 > rowsMax
            ? t.consentImport.tooMany(number(rows.length - 1))
            : null,
    );
    setTable(rows);
    setMap(guessMap(rows[0] ?? []));
  };
  const code = Number(brand || brands[0]?.code || 0);
  const runCheck = () => {
    if (!map) return;
    const rows = consentRows(table, map);
    setChecked(rows);
    check.mutate({ brand: code, rows });
  };
  return (
    <Page title={t.consentImport.title} lead={t.consentImport.lead}>
      <Card>
        <Group>
          <FileButton accept=".csv,.txt,.xlsx" onChange={file => void load(file)}>
            {props => <Button {...props}>{t.consentImport.choose}</Button>}
          </FileButton>
          <Button variant="default" onClick={() => downloadText('izin-sablonu.csv', toCsv(consentTemplate()))}>
            {t.consentImport.template}
          </Button>
          {brands.length > 1 && (
            <NativeSelect
              aria-label={t.consents.brand}
              data={brands.map(one => String(one.code))}
              value={String(code)}
              onChange={event => setBrand(event.currentTarget.value)}
            />
          )}
        </Group>
        {failure && (
          <div style={{ marginTop: 12 }}>
            <Note kind="bad">{failure}</Note>
          </div>
        )}
      </Card>
      {map && !failure && table.length > 1 && (
        <Card title={t.consentImport.map} hint={t.send.fileRead('', number(table.length - 1)).replace(/^: /, '')}>
          <Stack gap="md">
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
              {mapFields().map(field => (
                <MapField
                  key={field.key}
                  field={field}
                  header={table[0] ?? []}
                  value={map[field.key]}
                  onChange={value => setMap({ ...map, [field.key]: value })}
                />
              ))}
            </SimpleGrid>
            <Group>
              <RoleButton need="sender" loading={check.isPending} onClick={runCheck}>
                {t.consentImport.check}
              </RoleButton>
            </Group>
          </Stack>
        </Card>
      )}
      {check.data && checked && (
        <CheckResult
          check={check.data}
          rows={checked}
          busy={add.isPending}
          onStore={rows => add.mutate({ brand: code, rows })}
        />
      )}
    </Page>
  );
}

type FieldProps = {
  field: ReturnType<typeof mapFields>[number];
  header: string[];
  value: string;
  onChange: (value: string) => void;
};

function MapField({ field, header, value, onChange }: FieldProps) {
  const columns = header.map((name, at) => ({ value: `#${at}`, label: name || t.send.column(at + 1) }));
  const fixed = optionsOf(field.values).map(option => ({ ...option, value: `=${option.value}` }));
  const data =
    fixed.length > 0
      ? [
          { group: t.send.column(0).replace(/ ?0/, ''), items: columns },
          { group: t.consentImport.fixed, items: fixed },
        ]
      : columns;
  return (
    <div>
      <NativeSelect
        label={field.label}
        data={data}
        value={value}
        onChange={event => onChange(event.currentTarget.value)}
      />
      <Text size="xs" c="dimmed">
        {field.hint}
      </Text>
    </div>
  );
}
