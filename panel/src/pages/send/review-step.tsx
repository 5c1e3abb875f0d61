// The last screen before anything leaves: the server's own counts, price and objections, and a button that says how
// many people and how many credits.
import { Button, DataList, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { OutputOf } from '../../../../src/panel-api/contract.ts';
import type { PanelError } from '../../../../src/panel-api/shapes.ts';
import { dateMinute, number } from '../../format.ts';
import { paths } from '../../paths.ts';
import type { ListPreview } from '../../recipients/messages.ts';
import { useMay } from '../../session.tsx';
import { inOurs, t } from '../../text/language.ts';
import { Card } from '../../ui/card.tsx';
import { Empty, LoadError, Note } from '../../ui/notes.tsx';
import { RoleButton } from '../../ui/role-button.tsx';
import { Counters } from './counters.tsx';
import { freshPreview, keepDraft, useDraft } from './draft.ts';
import { Handset } from './handset.tsx';
import type { StepName } from './steps.ts';
import { useSubmit } from './use-submit.ts';

type Props = { options: OutputOf<'send.options'>; onFix: (step: StepName) => void };

export function ReviewStep({ options, onFix }: Props) {
  const draft = useDraft();
  const { send, sendToMe, busy, testing } = useSubmit(options);
  // What the server said of an earlier text is no longer true: nothing of it is shown.
  const preview = freshPreview(draft);
  // The server counts only for those who may send.
  const maySend = useMay('sender');
  const isAwaited = maySend && !preview;
  if ((draft.summary?.count ?? 0) === 0) {
    return (
      <Empty
        title={t.send.needRecipients}
        action={<Button onClick={() => onFix('alicilar')}>{t.send.stepRecipients}</Button>}
      />
    );
  }
  const tryAgain = () => keepDraft({ summary: draft.summary && { ...draft.summary } });
  if (draft.failure && !preview) return <LoadError error={draft.failure} retry={tryAgain} />;
  const label = draft.later ? t.send.submitLater : t.send.submit;
  return (
    <div className="with-handset">
      <Stack gap="md">
        <Counters commercial={draft.commercial} label={t.send.who} />
        {draft.later && !draft.sendAt && (
          <Note
            kind="bad"
            title={t.send.needTime}
            action={
              <Button size="xs" variant="default" onClick={() => onFix('ayarlar')}>
                {t.send.fixThere}
              </Button>
            }
          />
        )}
        {preview && <Problems preview={preview} onFix={onFix} />}
        {isAwaited && <Checking share={draft.share} />}
        {preview && (
          <Card title={t.send.price}>
            <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing={8}>
              <DataList labelWidth={130}>
                <Fact label={t.send.credits} value={number(preview.credits)} />
                <Fact label={t.send.balance} value={number(preview.balance)} />
                <Fact label={t.send.balanceAfter} value={number(preview.balanceAfter)} />
              </DataList>
              <DataList labelWidth={130}>
                <Fact label={t.send.sender} value={draft.sender} />
                <Fact label={t.send.starts} value={dateMinute(preview.startAt)} />
                <Fact label={t.send.ends} value={preview.endsAt ? dateMinute(preview.endsAt) : t.send.endsUnknown} />
                {preview.orders > 1 && <Fact label={t.send.ordersMade} value={number(preview.orders)} />}
              </DataList>
            </SimpleGrid>
          </Card>
        )}
        <Group gap="xs" className="sticky-actions">
          <Button variant="default" onClick={() => onFix('ayarlar')}>
            {t.common.back}
          </Button>
          <RoleButton
            need="sender"
            variant="default"
            ml="auto"
            loading={testing}
            reason={options.ownMobile ? null : t.send.testNone}
            onClick={() => void sendToMe()}
          >
            {t.send.testSend}
          </RoleButton>
          <RoleButton
            need="sender"
            loading={busy}
            reason={draft.later && !draft.sendAt ? t.send.needTime : reasonNot(preview, draft.isChecking)}
            onClick={() => void send()}
          >
            {isAwaited ? t.send.checking : label(number(preview?.sendable ?? 0), number(preview?.credits ?? 0))}
          </RoleButton>
        </Group>
      </Stack>
      <Handset sender={draft.sender} template={draft.text} options={options} worst={preview?.longest} />
    </div>
  );
}

/** Large lists take seconds: how far they are, instead of figures that are not theirs. */
function Checking({ share }: { share: number | null }) {
  const leaving = share !== null && share < 1;
  return (
    <Card>
      <Stack gap="xs" role="status">
        <Text size="sm">{leaving ? t.send.uploading : t.send.checking}</Text>
        <Progress
          value={leaving ? share * 100 : 100}
          striped={!leaving}
          animated={!leaving}
          aria-label={t.send.checking}
        />
      </Stack>
    </Card>
  );
}

function reasonNot(preview: ListPreview | null, isChecking: boolean): string | null {
  if (!preview || isChecking) return t.send.checking;
  const problem = preview.problems[0];
  return problem ? inOurs(problem) : null;
}

const stepOfField: Record<string, StepName> = {
  sender: 'mesaj',
  text: 'mesaj',
  recipients: 'alicilar',
  sendAt: 'ayarlar',
  commercial: 'ayarlar',
  list: 'ayarlar',
};

function Problems({ preview, onFix }: { preview: ListPreview; onFix: (step: StepName) => void }) {
  if (preview.problems.length === 0) return null;
  return (
    <Stack gap="xs" role="list" aria-label={t.send.problems}>
      {preview.problems.map(problem => (
        <ProblemNote key={problem.code + (problem.field ?? '')} problem={problem} preview={preview} onFix={onFix} />
      ))}
    </Stack>
  );
}

function ProblemNote(props: { problem: PanelError; preview: ListPreview; onFix: (step: StepName) => void }) {
  const { problem, preview } = props;
  const step = stepOfField[problem.field ?? ''];
  const fix = step && (
    <Button size="xs" variant="default" onClick={() => props.onFix(step)}>
      {t.send.fixThere}
    </Button>
  );
  return (
    <Note kind="bad" title={inOurs(problem)} action={fix}>
      {problem.code === '402' && t.send.lacking(number(Math.max(0, -preview.balanceAfter)))}
      {problem.orderId !== undefined && (
        <Link to={paths.order(String(problem.orderId))} className="link">
          {t.send.earlier(String(problem.orderId))}
        </Link>
      )}
    </Note>
  );
}

function Fact(props: { label: string; value: string }) {
  return (
    <DataList.Item>
      <DataList.ItemLabel>{props.label}</DataList.ItemLabel>
      <DataList.ItemValue>
        <Text span fw={600} size="sm">
          {props.value}
        </Text>
      </DataList.ItemValue>
    </DataList.Item>
  );
}
