// Sender IDs and the subscription, as their owner sees them: state, application, documents.

import type { Queryable } from '../../db/db.ts';
import {
  type AddProblem,
  type Application,
  type ApplyProblem,
  addDocuments,
  applicationsOf,
  applyForSender,
  applyForSubscription,
  findApplication,
  subscriptionState,
} from '../../senders/applications.ts';
import { testSender } from '../../senders/senders.ts';
import { auditEntry } from '../audit/audit-entry.ts';
import type { AccountCall, Handlers, InputRead } from '../call/context.ts';
import { bad, iso } from '../contract/input.ts';
import { PanelRefusal } from '../words/errors.ts';
import type { SenderLine, Application as ShownApplication } from './contract.ts';
import { missingDocuments, senderDocuments, subscriptionDocuments } from './documents-needed.ts';
import { identityStep } from './identity.ts';
import { senderRows } from './sender-list.ts';

export const senderHandlers = {
  async 'senders.list'(call) {
    const subscription = await subscriptionState(call.db, call.account.id);
    return {
      senders: await showSenders(call.db, call.account.id),
      testSender: call.account.senders.length === 0 ? testSender : null,
      hasSubscription: subscription === 'applied' || subscription === 'approved',
      documentsNeeded: senderDocuments,
    };
  },

  async 'senders.apply'(call) {
    const { name, applicantKind, note, documents } = call.input;
    const form = { applicantKind, ...(note === undefined ? {} : { note }) };
    const draft = { form, documents, applicant: call.session.email };
    return handIn(call, await applyForSender(call.db, call.account.id, name, draft), 'sender.apply', { name });
  },

  async 'subscription.read'(call) {
    const history = await applicationsOf(call.db, call.account.id, 'subscription');
    return {
      current: history[0] ? showApplication(history[0]) : null,
      history: history.map(showApplication),
      documentsNeeded: subscriptionDocuments,
      identity: await identityStep(call, history[0]?.id),
    };
  },

  async 'subscription.apply'(call) {
    const draft = {
      form: readSubscription(call.input),
      documents: call.input.documents,
      applicant: call.session.email,
    };
    return handIn(call, await applyForSubscription(call.db, call.account.id, draft), 'subscription.apply', {});
  },

  async 'applications.addDocuments'(call) {
    const { id: applicationId, documents } = call.input;
    const problem = await addDocuments(call.db, call.account.id, applicationId, documents);
    if (problem) throw new PanelRefusal(problem, { field: addFields[problem] });
    await auditEntry(call, 'application.documents', { applicationId, documents: documents.length });
    return showApplication((await findApplication(call.db, applicationId))!);
  },
} satisfies Partial<Handlers>;

function readSubscription(input: InputRead<'subscription.apply'>): Record<string, string> {
  const taxNumber = input.taxNumber.replace(/\s/g, '');
  if (!/^\d{10,11}$/.test(taxNumber)) throw bad('taxNumber');
  const mersis = input.mersis?.replace(/\s/g, '');
  if (mersis !== undefined && !/^\d{16}$/.test(mersis)) throw bad('mersis');
  return {
    applicantKind: input.applicantKind,
    title: input.title,
    taxOffice: input.taxOffice,
    taxNumber,
    ...(mersis ? { mersis } : {}),
    address: input.address,
    contactName: input.contactName,
    contactMobile: input.contactMobile,
    ...(input.kep === undefined ? {} : { kep: input.kep }),
  };
}

const fieldOf: Partial<Record<ApplyProblem, string>> = {
  'sender-form': 'name',
  'sender-generic': 'name',
  'sender-exists': 'name',
  'documents-missing': 'documents',
};

const addFields: Record<AddProblem, string> = {
  'not-found': 'id',
  'already-decided': 'id',
  'documents-missing': 'documents',
  'too-many-documents': 'documents',
};

async function handIn(call: AccountCall, result: number | ApplyProblem, action: string, detail: object) {
  if (typeof result !== 'number') {
    const field = fieldOf[result];
    throw new PanelRefusal(result, field ? { field } : {});
  }
  await auditEntry(call, action, { ...detail, applicationId: result });
  return showApplication((await findApplication(call.db, result))!);
}

export async function showSenders(db: Queryable, accountId: number): Promise<SenderLine[]> {
  const applications = await applicationsOf(db, accountId, 'sender');
  return (await senderRows(db, accountId)).map(one => {
    const application = applications.find(({ id }) => id === one.applicationId);
    return {
      ...one,
      createdAt: iso(one.createdAt),
      decidedAt: iso(one.decidedAt),
      lastUsedAt: iso(one.lastUsedAt),
      documents: application?.documents ?? [],
      waiting: application?.state === 'applied' ? showApplication(application) : null,
    };
  });
}

export function showApplication(one: Application): ShownApplication {
  const { id, kind, state, senderName, reason, form, documents } = one;
  return {
    id,
    kind,
    state,
    senderName,
    reason,
    form,
    documents,
    createdAt: iso(one.createdAt),
    decidedAt: iso(one.decidedAt),
    missing: missingDocuments(one),
    asked:
      one.askedNote === null
        ? null
        : {
            note: one.askedNote,
            at: iso(one.askedAt!),
            answeredAt: iso(one.answeredAt),
          },
  };
}
