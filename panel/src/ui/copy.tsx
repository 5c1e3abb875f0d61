// Copying. navigator.clipboard does not exist over plain http, where self-hosted panels often are; the old selection command
// works there. The result is announced: a screen reader does not notice a changed icon.
import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { t } from '../text/language.ts';
import { announce } from './announce.tsx';

async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard && window.isSecureContext) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Refused by the browser: fall through to the selection command.
  }
  return copyBySelection(text);
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  // An open dialog keeps the focus inside, so the field is added there.
  const host = document.querySelector('[role="dialog"]') ?? document.body;
  const before = document.activeElement;
  host.appendChild(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}

const shownMs = 1500;

export function useCopied(): [boolean, (text: string) => void] {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), shownMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (text: string) => {
    void copyText(text).then(done => {
      setCopied(done);
      announce(done ? t.copy.done : t.copy.failed);
    });
  };
  return [copied, copy];
}

/** `shortcut`: a single key that presses it. */
export function CopyButton(props: { value: string; label?: string; shortcut?: string }) {
  const [copied, copy] = useCopied();
  const label = props.label ?? t.copy.label;
  return (
    <Tooltip label={copied ? t.copy.done : label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={24}
        aria-label={label}
        aria-keyshortcuts={props.shortcut}
        onClick={event => {
          event.stopPropagation();
          event.preventDefault();
          copy(props.value);
        }}
      >
        {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </ActionIcon>
    </Tooltip>
  );
}
