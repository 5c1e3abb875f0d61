// The confirmation before something irreversible: it names the object and the count, focuses "Vazgeç", and its button is the
// verb. One dialog for the whole panel; any code may open it.
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { t } from '../text/language.ts';

type Question = {
  title: string;
  body: ReactNode;
  /** The verb on the button. */
  action: string;
  danger?: boolean;
  /** Label of a required text (a reason), or the text that has to be typed. */
  reason?: string;
  mustType?: string;
};
// A question may be asked from a drawer or dialog (200), and must not hide the result of the last one (400).
const aboveDrawers = 300;
type Asked = Question & { answer: (given: string | null) => void };

let show: (asked: Asked) => void = () => {};

/** The typed reason ('' where none is asked), or null when the person cancelled. */
export function ask(question: Question): Promise<string | null> {
  return new Promise(answer => show({ ...question, answer }));
}

export function ConfirmHost() {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    show = next => {
      setText('');
      setAsked(next);
    };
  }, []);
  const close = (given: string | null) => {
    asked?.answer(given);
    setAsked(null);
  };
  const missing = asked?.mustType ? text.trim() !== asked.mustType : Boolean(asked?.reason) && text.trim() === '';
  return (
    <Modal
      opened={asked !== null}
      onClose={() => close(null)}
      title={asked?.title}
      zIndex={aboveDrawers}
      closeButtonProps={{ 'aria-label': t.common.close }}
    >
      {asked && (
        <form
          onSubmit={event => {
            event.preventDefault();
            if (!missing) close(text.trim());
          }}
        >
          <Stack gap="md">
            <Text size="sm" component="div">
              {asked.body}
            </Text>
            {(asked.reason || asked.mustType) && (
              <TextInput
                label={asked.reason ?? t.confirm.type(asked.mustType ?? '')}
                value={text}
                maxLength={200}
                onChange={event => setText(event.currentTarget.value)}
              />
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={() => close(null)} data-autofocus>
                {t.common.cancel}
              </Button>
              <Button type="submit" color={asked.danger ? 'red' : undefined} disabled={missing}>
                {asked.action}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}
