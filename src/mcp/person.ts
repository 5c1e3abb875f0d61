// Asks a person before an assistant sends: the client shows the question itself (elicitation), so that the model that
// wrote the order cannot answer it. A client without elicitation sends with the confirmation of the preview alone, up
// to a limit.

/** `answers`: what a repeated request brought back, according to the client. */
export type Person = { canBeAsked: boolean; answers: Record<string, unknown> };

type Shown = { sender: string; recipients: number; credits: number; text: string; sendAt: string | null };

const name = 'agreement';
const textMax = 1_000;

export function hasAnswered({ answers }: Person): boolean {
  return answers[name] !== undefined;
}

export function hasAgreed({ answers }: Person): boolean {
  const answer = answers[name] as { action?: unknown; content?: { send?: unknown } } | undefined;
  return answer?.action === 'accept' && answer.content?.send === true;
}

/** Returned instead of a result: the client asks, and repeats its request with the answer. */
export function questionAbout({ sender, recipients, credits, text, sendAt }: Shown): object {
  const lines = [
    'SMS gönderilsin mi? / Send this SMS?',
    `Başlık / sender: ${sender}`,
    `Alıcı / recipients: ${recipients}`,
    `Kredi / credits: ${credits}`,
    ...(sendAt ? [`Zaman / time: ${sendAt}`] : []),
    `Metin / text: ${text.slice(0, textMax)}${text.length > textMax ? '…' : ''}`,
  ];
  const send = { type: 'boolean', title: 'Gönder / Send' };
  const requestedSchema = { type: 'object', properties: { send }, required: ['send'] };
  const params = { mode: 'form', message: lines.join('\n'), requestedSchema };
  return { resultType: 'input_required', inputRequests: { [name]: { method: 'elicitation/create', params } } };
}
