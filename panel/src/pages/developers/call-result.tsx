// The answer to a real call: code, time taken and the envelope as it came.
import { Text } from '@mantine/core';
import { duration } from '../../format.ts';
import { t } from '../../text/language.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import type { CallResult } from './real-call.ts';

export function CallResultView({ result }: { result: CallResult }) {
  return (
    <div role="status" data-testid="try-result">
      <Text size="sm" fw="var(--fw-strong)" mb={4}>
        {t.docs.answer(result.code, duration(result.ms))}
      </Text>
      <CodeBlock code={result.body} wrap label={t.docs.answerTitle} />
    </div>
  );
}
