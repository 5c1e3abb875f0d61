// Errors of carriers and of the system as sentences. The first matching row is used; unknown errors are shown
// unchanged.
import { t } from '../../text/language.ts';

type Sentence = keyof typeof t.carrierErrors;

const errorWords: [words: RegExp, sentence: Sentence][] = [
  [/ESME_RINVPASWD/, 'password'],
  [/ESME_RINVSYSID/, 'systemId'],
  [/ESME_RALYBND/, 'alreadyBound'],
  [/^bind refused/, 'bindRefused'],
  [/ESME_RTHROTTLED/, 'throttled'],
  [/ESME_RMSGQFUL/, 'queueFull'],
  [/ESME_RINVSRCADR|ESME_RINVSRCTON|ESME_RINVSRCNPI/, 'sender'],
  [/ESME_RINVDSTADR|ESME_RINVDSTTON|ESME_RINVDSTNPI/, 'recipient'],
  [/^submit refused/, 'submitRefused'],
  [/ECONNREFUSED/, 'connectionRefused'],
  [/ENOTFOUND|EAI_AGAIN/, 'unknownHost'],
  [/EHOSTUNREACH|ENETUNREACH|ETIMEDOUT/, 'unreachable'],
  [/certificate|self.signed|TLS|SSL/i, 'certificate'],
  [/no answer (for|in time)|was not answered|not bound within|does not read/, 'silent'],
  [/ECONNRESET|EPIPE|socket hang up|connection closed|peer closed|peer unbound|session is closed/, 'closed'],
  [/\(ESME_|PDU|answer/, 'garbled'],
  [/slot was taken/, 'slotTaken'],
  [/process was paused/, 'paused'],
];

export function errorSentence(error: string): string | null {
  const found = errorWords.find(([words]) => words.test(error));
  return found ? t.carrierErrors[found[1]] : null;
}
