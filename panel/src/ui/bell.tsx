// The bell: what finished or needs attention. Its content comes with the live poll; its count is of what is new.
import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { OutputOf } from '../../../src/panel-api/contract/contract.ts';
import { dateMinute, fileSize, number } from '../format.ts';
import { paths } from '../paths.ts';
import { useChange } from '../queries.ts';
import { inOurs, t } from '../text/language.ts';
import { type Notice, noticesOf } from './notices.ts';

export function Bell({ live }: { live: OutputOf<'live'> | undefined }) {
  const notices = live ? noticesOf(live) : [];
  const fresh = notices.filter(notice => notice.isNew).length;
  const { mutate: seen } = useChange('notices.seen', { ownErrors: true });
  const newest = live?.notices.find(word => word.isNew)?.id;
  // Marked as read when the list closes: new entries stay marked while it is open.
  const markSeen = () => newest !== undefined && seen({ upTo: newest });
  return (
    <Menu position="bottom-end" width={300} onClose={markSeen}>
      {/* The figure stands beside the button: its name says the same in words. */}
      <span className="bell">
        <Menu.Target>
          <ActionIcon size={32} aria-label={t.bell.open(fresh)}>
            <IconBell size={18} stroke={1.7} />
          </ActionIcon>
        </Menu.Target>
        {fresh > 0 && (
          <span className="bell-count" aria-hidden>
            {fresh}
          </span>
        )}
      </span>
      <Menu.Dropdown>
        <Menu.Label>{notices.length === 0 ? t.bell.empty : t.bell.title}</Menu.Label>
        {notices.map(notice => (
          <NoticeItem key={notice.key} notice={notice} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function NoticeItem({ notice }: { notice: Notice }) {
  switch (notice.kind) {
    case 'low-balance':
      return (
        <Menu.Item component={Link} to={paths.balance()}>
          {t.bell.lowBalance(number(notice.sms), number(notice.threshold))}
        </Menu.Item>
      );
    case 'running':
      return (
        <Menu.Item component={Link} to={paths.orders()}>
          {t.shell.runningOrders(number(notice.count))}
        </Menu.Item>
      );
    case 'webhook':
      return (
        <Menu.Item component={Link} to={paths.webhook()}>
          {t.overview.webhookTrouble}
          <Text size="xs" c="dimmed">
            {[notice.reason && inOurs(notice.reason), t.overview.webhookWaiting(number(notice.waiting))]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        </Menu.Item>
      );
    case 'word':
      return <WordItem word={notice.word} />;
    case 'export':
      return <ExportItem file={notice.file} />;
  }
}

function WordItem({ word }: { word: OutputOf<'live'>['notices'][number] }) {
  const path = word.kind.startsWith('sender.')
    ? paths.senders()
    : word.kind.startsWith('account.')
      ? paths.audit()
      : word.name
        ? paths.senders()
        : paths.subscription();
  return (
    <Menu.Item component={Link} to={path} fw={word.isNew ? 'var(--fw-strong)' : undefined}>
      {t.words[word.kind](word.name ?? '')}
      <Text size="xs" c="dimmed">
        {[word.reason, dateMinute(word.at)].filter(Boolean).join(' · ')}
      </Text>
    </Menu.Item>
  );
}

function ExportItem({ file }: { file: OutputOf<'live'>['exports'][number] }) {
  const name = `${t.bell.exportKinds[file.kind]} (${file.format.toUpperCase()})`;
  const rows = file.rows > 0 ? t.bell.rows(number(file.rows)) : '';
  if (file.state !== 'ready' || !file.expiresAt) {
    return (
      <Menu.Item disabled={file.state !== 'failed'} closeMenuOnClick={false}>
        {name}
        <Text size="xs" c="dimmed">
          {[t.bell.exportStates[file.state], rows].filter(Boolean).join(' · ')}
        </Text>
      </Menu.Item>
    );
  }
  return (
    <Menu.Item component="a" href={`/panel/api/export-file/${file.id}`} download>
      {name}
      <Text size="xs" c="dimmed">
        {`${rows} · ${fileSize(file.bytes)} · ${t.bell.until(dateMinute(file.expiresAt))}`}
      </Text>
    </Menu.Item>
  );
}
