// Shown instead of the overview until the first message: the first steps, and the stages of the message being sent.
import { IconShoppingBag, IconTerminal2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { number } from '../../format.ts';
import { paths } from '../../paths.ts';
import { useMe } from '../../session.tsx';
import { t } from '../../text/language.ts';
import { switchAccount } from '../../ui/account-menu.tsx';
import { useLive } from '../../ui/use-live.ts';
import { FirstSms } from '../start/first-sms.tsx';

export default function FirstView() {
  const me = useMe();
  const balance = useLive().data?.balance;
  const others = me.accounts.filter(account => account.id !== me.account?.id);
  return (
    <div className="first-view">
      <h2 className="first-head">{t.start.emptyTitle}</h2>
      <p className="answer-rest">{balance === undefined ? t.load.loading : t.start.emptyLead(number(balance))}</p>
      <FirstSms />
      <div className="first-links">
        <Link to={paths.start()} className="link">
          <IconTerminal2 size={16} stroke={1.7} aria-hidden />
          {t.start.byApi}
        </Link>
        {others.map(account => (
          <button key={account.id} type="button" className="link-button" onClick={() => void switchAccount(account.id)}>
            <IconShoppingBag size={16} stroke={1.7} aria-hidden />
            {t.start.goTo(account.name)}
          </button>
        ))}
      </div>
    </div>
  );
}
