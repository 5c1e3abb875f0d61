// The bar at the bottom of a phone: four entries.
import {
  IconAntenna,
  IconBuilding,
  IconGauge,
  IconHome,
  IconListDetails,
  IconMenu2,
  IconPencilPlus,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { paths } from '../paths.ts';
import { useMe } from '../session.tsx';
import { t } from '../text/language.ts';

export function BottomBar({ onMenu }: { onMenu: () => void }) {
  const hasAccount = useMe().account !== null;
  const entries = hasAccount
    ? [
        { label: t.nav.general, path: paths.overview(), icon: IconHome },
        { label: t.nav.sendShort, path: paths.send(), icon: IconPencilPlus },
        { label: t.nav.ordersShort, path: paths.orders(), icon: IconListDetails },
      ]
    : [
        { label: t.nav.staffStatus, path: paths.staffStatus(), icon: IconGauge },
        { label: t.nav.staffCarriers, path: paths.staffCarriers(), icon: IconAntenna },
        { label: t.nav.staffAccounts, path: paths.staffAccounts(), icon: IconBuilding },
      ];
  return (
    <nav className="bottom-bar" aria-label={t.nav.menu}>
      {entries.map(({ label, path, icon: Icon }) => (
        <Link key={path} to={path} activeOptions={{ exact: path === paths.overview() || path === paths.staffStatus() }}>
          <Icon size={20} stroke={1.7} aria-hidden />
          {label}
        </Link>
      ))}
      <button type="button" onClick={onMenu}>
        <IconMenu2 size={20} stroke={1.7} aria-hidden />
        {t.nav.menu}
      </button>
    </nav>
  );
}
