// Up to 5,000 consents from a file: map the columns, check every row against every rule, then store all or only the
// good ones. Accepted is not registered, and the page says so.
import { Button, FileButton, Group, NativeSelect, SimpleGrid, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { number } from '../../format.ts';
import { paths } from '../../paths.ts';
import { useChange, useRead } from '../../queries.ts';
import { askBook } from '../../recipients/client.ts';
import type { TableView } from '../../recipients/messages.ts';
import { useImportFile } from '../../recipients/use-import-file.ts';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { downloadText, toCsv } from '../../ui/download.ts';
import { acceptedFiles, FileProblem, FileReading, SheetChoice } from '../../ui/file-reading.tsx';
import { Note } from '../../ui/notes.tsx';
import { optionsOf } from '../../ui/options.ts';
import { Page } from '../../ui/page.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { useUnsaved } from '../../ui/unsaved.ts';
import { type CheckedRows, CheckResult } from './check-result.tsx';
import {
  brandColumn,
  type ConsentMap,
  columnsOf,
  consentRows,
  consentTemplate,
  guessMap,
  mapFields,
  ofBrand,
} from './map-rows.ts';

const rowsMax = 5_000;

export default function ConsentImportPage() {
  const navigate = useNavigate();
  const brands = useRead('consent.overview', {}).data?.brands ?? [];
  const [brand, setBrand] = useState('');
  const file = useImportFile('iso');
  const [map, setMap] = useState<ConsentMap | null>(null);
  const [leftOut, setLeftOut] = useState(0);
  const [checked, setChecked] = useState<CheckedRows | null>(null);
  const check = useChange('consent.check');
  const release = useUnsaved((file.view?.count ?? 0) > 0);
  const done = () => {
    release();
    void navigate({ to: paths.consents() });
  };
  const add = useChange('consent.add', { done: ({ stored }) => t.consentImport.done(number(stored)), onDone: done });
  const load = async (reading: Promise<TableView | null>) => {
    setChecked(null);
    setLeftOut(0);
    setMap(null);
    check.reset();
    const view = await reading;
    if (view) setMap(guessMap(view.titles));
  };
  const code = Number(brand || brands[0]?.code || 0);
  const runCheck = async () => {
    if (!map || !file.view) return;
    const whose = brandColumn(file.view.titles);
    const columns = [...columnsOf(map), ...(whose < 0 ? [] : [whose])];
    const found = await askBook('tableRows', { from: 0, to: file.view.count, columns });
    const ours = ofBrand(found.rows, whose < 0 ? -1 : columns.length - 1, code);
    setLeftOut(found.rows.length - ours.length);
    const rows = consentRows(
      ours.map(at => found.rows[at] ?? []),
      columns,
      map,
    );
    setChecked({ rows, lines: ours.map(at => found.lines[at] ?? 0) });
    if (rows.length > 0) check.mutate({ brand: code, rows });
  };
  const { view } = file;
  const tooMany = view && view.count > rowsMax;
  const isEmpty = view && view.count === 0;
  return (
    <Page title={t.consentImport.title} lead={t.consentImport.lead}>
      <Card>
        <Group>
          <FileButton accept={acceptedFiles} onChange={given => given && void load(file.read(given))}>
            {props => <Button {...props}>{t.consentImport.choose}</Button>}
          </FileButton>
          <Button
            variant="default"
            onClick={() => downloadText(`${t.files.consentTemplate}.csv`, toCsv(consentTemplate()))}
          >
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
        <Stack gap="sm" mt="sm">
          {file.share !== null && <FileReading share={file.share} onStop={file.clear} />}
          <FileProblem problem={isEmpty ? 'empty' : file.problem} />
          {tooMany && <Note kind="bad">{t.consentImport.tooMany(number(view.count))}</Note>}
        </Stack>
      </Card>
      {map && view && !tooMany && !isEmpty && (
        <Card title={t.consentImport.map} hint={t.send.fileRead(file.name ?? '', number(view.count))}>
          <Stack gap="md">
            <SheetChoice
              sheets={view.sheets}
              sheet={view.sheet}
              onChange={sheet => void load(file.chooseSheet(sheet))}
            />
            <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
              {mapFields().map(field => (
                <MapField
                  key={field.key}
                  field={field}
                  header={view.header ? view.titles : view.names}
                  value={map[field.key]}
                  onChange={value => setMap({ ...map, [field.key]: value })}
                />
              ))}
            </SimpleGrid>
            {leftOut > 0 && <Note kind="warn">{t.consentImport.otherBrand(number(leftOut), String(code))}</Note>}
            <Group>
              <RoleButton need="sender" loading={check.isPending} onClick={() => void runCheck()}>
                {t.consentImport.check}
              </RoleButton>
            </Group>
          </Stack>
        </Card>
      )}
      {check.data && checked && (
        <CheckResult
          check={check.data}
          checked={checked}
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
