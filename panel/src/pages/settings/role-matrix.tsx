// What each role may do, so that nobody has to guess when handing one out.
import { IconCheck, IconMinus } from '@tabler/icons-react';
import { t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';

export function RoleMatrix() {
  const rows: [label: string, viewer: boolean, sender: boolean, owner: boolean][] = [
    [t.users.matrixRead, true, true, true],
    [t.users.matrixSend, false, true, true],
    [t.users.matrixOwn, false, false, true],
  ];
  return (
    <Card title={t.users.matrix} flush>
      <table className="grid">
        <thead>
          <tr>
            <th aria-hidden />
            <th scope="col">{t.roles.viewer}</th>
            <th scope="col">{t.roles.sender}</th>
            <th scope="col">{t.roles.owner}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([label, ...may]) => (
            <tr key={label}>
              <td>{label}</td>
              {may.map((yes, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: three fixed columns
                <td key={at}>
                  {yes ? (
                    <IconCheck size={16} aria-label={t.common.yes} />
                  ) : (
                    <IconMinus size={16} aria-label={t.common.no} />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
