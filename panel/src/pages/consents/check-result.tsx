// What the server found in the rows before storing any of them.
import { Button, Group, Stack, Text } from '@mantine/core';
import type { ConsentRow, ConsentRule } from '../../../../src/panel-api/consent/contract.ts';
import type { OutputOf } from '../../../../src/panel-api/contract/contract.ts';
import { number } from '../../format.ts';
import { inOurs, t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { downloadText, toCsv } from '../../ui/download.ts';
import { RoleButton } from '../../ui/role-button.tsx';
import { Tone } from '../../ui/tone.tsx';

/** The checked rows, with their positions in the file. */
export type CheckedRows = { rows: ConsentRow[]; lines: number[] };

type Props = {
  check: OutputOf<'consent.check'>;
  checked: CheckedRows;
  busy: boolean;
  onStore: (rows: ConsentRow[]) => void;
};
const shownMax = 100;

export function CheckResult({ check, checked, busy, onStore }: Props) {
  const { rows, lines } = checked;
  const blocked = new Set(check.issues.filter(issue => issue.isBlocking).map(issue => issue.row));
  const valid = rows.filter((_, at) => !blocked.has(at));
  const issuesCsv = () =>
    toCsv([
      [t.send.rowNo, t.consents.search, t.consents.reason],
      ...check.issues.map(issue => [lines[issue.row] ?? 0, rows[issue.row]?.recipient ?? '', inOurs(issue)]),
    ]);
  const label = check.valid === check.given ? t.consentImport.storeAll : t.consentImport.storeValid;
  return (
    <Card
      title={t.consentImport.checked(number(check.valid), number(check.given))}
      hint={check.quotaLeft !== null ? t.consentImport.quotaLeft(number(check.quotaLeft)) : undefined}
    >
      <Stack gap="md">
        {check.issues.length > 0 && (
          <>
            <Group gap="sm">
              {Object.entries(check.counts).map(([rule, count]) => (
                <Tone key={rule} tone="orange">
                  {t.consentRules[rule as ConsentRule]}: {number(count)}
                </Tone>
              ))}
            </Group>
            <div style={{ maxHeight: 300, overflow: 'auto' }} className="panel-card">
              <table className="grid">
                <caption className="visually-hidden">{t.consentImport.issues}</caption>
                <tbody>
                  {check.issues.slice(0, shownMax).map(issue => (
                    <tr key={`${issue.row}${issue.rule}`}>
                      <td>{number(lines[issue.row] ?? 0)}</td>
                      <td className="mono">{rows[issue.row]?.recipient}</td>
                      <td>{inOurs(issue)}</td>
                      <td>{!issue.isBlocking && t.consentImport.warning}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          </>
        )}
        <Group>
          <RoleButton
            need="sender"
            loading={busy}
            reason={valid.length === 0 ? t.table.noneMatch : null}
            onClick={() => onStore(valid)}
          >
            {label(number(valid.length))}
          </RoleButton>
          {check.issues.length > 0 && (
            <Button variant="default" onClick={() => downloadText(`${t.files.consentIssues}.csv`, issuesCsv())}>
              {t.consentImport.downloadIssues}
            </Button>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {t.consents.lead}
        </Text>
      </Stack>
    </Card>
  );
}
