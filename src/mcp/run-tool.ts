// Runs a tool of an assistant through the same path as a call of the interface, with the caller's key, address and
// limits.
import { type ApiServices, answerCall } from '../api/call.ts';
import { asMembers, type Members, own } from '../api/envelope.ts';
import type { Operation } from '../api/operations.ts';
import { previewOperation, sendAtMost } from '../api/preview.ts';
import { endTrace } from '../api/trace-call.ts';
import { toTurkeyTime } from '../time/clock.ts';
import { beginTrace, tracing } from '../tracing/tracer.ts';
import { canonical, confirmationFor, readConfirmation } from './confirmation.ts';
import { hasAgreed, hasAnswered, type Person, questionAbout } from './person.ts';
import { rowsUnlessAsked, type Tool, tools } from './tools.ts';

/** Limits for assistants whose key has none: recipients of an order, and messages a day that no person confirmed. */
const recipientsUsual = 100;
const dailyUsual = 1_000;

export type Caller = { key: string; hash: string; address: string; agent: string; traceparent?: string };

type ToolResult = {
  content: { type: 'text'; text: string }[];
  structuredContent?: Members;
  isError?: true;
};

export async function runTool(
  services: ApiServices,
  caller: Caller,
  name: string,
  given: unknown,
  person: Person,
): Promise<ToolResult | object> {
  const tool = tools.find(one => one.name === name);
  if (!tool) return failed(`There is no tool ${name}.`);
  const { confirmation, ...members } = asMembers(given) ?? {};
  if (tool.operation.name === 'send-sms') return sendConfirmed(services, caller, members, confirmation, person);
  const result = await ask(services, caller, tool.operation, withRows(tool, members));
  if (tool.operation !== previewOperation || !result.structuredContent) return result;
  return withConfirmation(caller, members, result.structuredContent);
}

async function sendConfirmed(
  services: ApiServices,
  caller: Caller,
  members: Members,
  confirmation: unknown,
  person: Person,
): Promise<ToolResult | object> {
  const confirmed = readConfirmation(caller, own(members, 'order'), confirmation);
  if (!confirmed)
    return failed(
      'Not sent: the confirmation is missing, older than ten minutes, or about another order. Call preview_sms with exactly this order, show the person its text, recipients and price, and send with the confirmation it gives.',
    );
  const order = own(members, 'order');
  if (person.canBeAsked && !hasAgreed(person))
    return hasAnswered(person) ? failed('Not sent: the person did not agree.') : question(services, caller, order);
  const dailyMax = person.canBeAsked ? null : dailyUsual;
  return ask(services, caller, sendAtMost(confirmed.credits), { order }, confirmed.idempotencyKey, dailyMax);
}

/** Built from a preview made now, not from what the model says. */
async function question(services: ApiServices, caller: Caller, order: unknown): Promise<ToolResult | object> {
  const result = await ask(services, caller, previewOperation, { order });
  if (!result.structuredContent) return result;
  const { sendable, credits, text, sendAt } = result.structuredContent['preview'] as Previewed;
  const sender = String(own(asMembers(order) ?? {}, 'sender') ?? '');
  return questionAbout({ sender, recipients: sendable, credits, text, sendAt });
}

type Previewed = { sendable: number; credits: number; text: string; sendAt: string | null };

function withConfirmation(caller: Caller, members: Members, answer: Members): ToolResult {
  const { credits } = answer['preview'] as { credits: number };
  const { confirmation, until } = confirmationFor(caller, own(members, 'order'), credits);
  return done({ ...answer, confirmation, until: toTurkeyTime(until) });
}

async function ask(
  services: ApiServices,
  { key, hash, address, agent, traceparent }: Caller,
  operation: Operation,
  members: Members,
  idempotencyKey?: string,
  dailyMax: number | null = null,
): Promise<ToolResult> {
  const began = performance.now();
  const trace = tracing.now && beginTrace(traceparent);
  const answer = await answerCall(services, operation, {
    open: () => ({ ...members, authentication: { key, hash } }),
    hold: null,
    body: Buffer.from(canonical(members)),
    address,
    agent,
    idempotencyKey,
    usual: { recipientsMax: recipientsUsual, dailyMax },
  });
  if (trace) endTrace(services, operation, trace, (performance.now() - began) / 1_000, answer);
  const { status, ...result } = answer.body.response;
  if (answer.code === 200) return done(result);
  const fields = own(result, 'errors');
  return failed(`${answer.code} ${status.message}${fields ? ` ${JSON.stringify(fields)}` : ''}`);
}

/** Asks for few rows if the call names no number. */
function withRows({ inputSchema }: Tool, members: Members): Members {
  const [name, object] = Object.entries(inputSchema.properties)[0] ?? [];
  if (!name || !(object?.['properties'] as Members | undefined)?.['rowCount']) return members;
  return { ...members, [name]: { rowCount: rowsUnlessAsked, ...asMembers(own(members, name)) } };
}

function done(result: Members): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result };
}

export function failed(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
