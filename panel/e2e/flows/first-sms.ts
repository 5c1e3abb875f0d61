// The first minutes of a customer: sign-up, the first SMS, the first API call.
import { expect, test } from 'vitest';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { codeOn, customer, freshEmail, newVisitor, password, program } from '../people.ts';
import { picture } from '../picture.ts';
import { eventually } from '../visitor.ts';

test('the subscription is applied for among the first steps, one open form at a time', async () => {
  const person = await customer();
  await person.open(paths.start(), tr.start.title);
  const form = person.page.getByRole('region', { name: tr.start.stepSubscription });
  const first = person.page.getByRole('region', { name: tr.start.firstTitle });
  await first.waitFor();
  expect(await form.count()).toBe(0);
  await person.press(tr.start.apply, person.page.locator('[data-step="subscription"]'));
  await person.field(tr.subscription.legalTitle, form).fill('Deneme Ltd');
  expect(await first.count()).toBe(0);
  await person.field(tr.subscription.taxOffice, form).fill('Deneme');
  await person.field(tr.subscription.taxNumber, form).fill('1234567890');
  await person.field(tr.subscription.contactName, form).fill('Yetkili Kişi');
  await person.field(tr.subscription.contactMobile, form).fill('0555 000 00 00');
  await form.getByRole('textbox', { name: tr.subscription.address, exact: true }).fill('Deneme Mahallesi');
  await form
    .locator('input[type="file"]')
    .first()
    .setInputFiles({ name: 'vergi-levhasi.png', mimeType: 'image/png', buffer: Buffer.from(picture) });
  await person.reads('vergi-levhasi.png', form);
  await person.press(tr.senderApply.submit, form);
  await person.page.locator('[data-step="subscription"][data-state="waiting"]').waitFor();
  expect((await person.call('subscription.read', {})).current?.state).toBe('applied');
});

test('from sign-up to the first SMS on a phone takes one form, one code and one click, and costs one of a hundred credits', async () => {
  const person = await newVisitor();
  await person.open(paths.overview(), tr.signIn.title);
  await person.link(tr.signIn.signUp).click();
  await person.heading(tr.signUp.title).waitFor();
  await person.press(tr.signUp.sendCode);
  for (const missing of [tr.signUp.needName, tr.signUp.needEmail, tr.signUp.needMobile, tr.signUp.needTerms])
    await person.reads(missing);

  await person.field(tr.signUp.accountName).fill('Deneme Ltd');
  await person.field(tr.signIn.email).fill(freshEmail());
  await person.field(tr.signUp.mobile).fill('0555 000 00 09');
  await person.page.getByLabel(tr.signIn.password).fill(password);
  await person.press(tr.legal.read(tr.legal.kinds.terms));
  await person.reads(/^TASLAK METİN/, person.dialog);
  await person.press(tr.common.close, person.dialog);
  await person.page.getByLabel(tr.signUp.terms).check();
  await person.press(tr.signUp.sendCode);
  await person.reads(tr.signUp.sent('0555 000 00 09'));
  await person.press(tr.signUp.submit);
  await person.reads(tr.signUp.needCode);
  await person.press(tr.signUp.change);
  await person.field(tr.signUp.mobile).fill('0555 000 00 00');
  await person.press(tr.signUp.sendCode);
  await person.field(tr.signUp.code).fill(await codeOn('5550000000'));
  await person.press(tr.signUp.submit);
  await person.heading(tr.start.title).waitFor();
  await eventually(() => person.balance()).toBe('100');

  const card = person.page.getByRole('region', { name: tr.start.firstTitle });
  await eventually(() => person.field(tr.start.to, card).inputValue()).toBe('+90 555 000 00 00');
  await person.press(tr.start.send, card);
  await person.page.locator('[data-testid="first-sms-state"][data-state="delivered"]').waitFor();
  await person.reads(/^İletildi \(.* sn\)$/, card);
  await eventually(() => person.balance()).toBe('99');
  await eventually(() => stepState('first-sms')).toBe('done');
  expect((await program.carrier.phone('5550000000')).slice(1)).toEqual([
    expect.objectContaining({ from: 'APITEST', text: 'Merhaba! Bu, Peyk ile gonderilen ilk SMS. B186', parts: 1 }),
  ]);

  const api = person.card(tr.start.apiTitle);
  await api.getByLabel(tr.access.allow).click();
  await eventually(() => stepState('api')).toBe('your-turn');
  await eventually(() => api.getByLabel(tr.access.allow).isChecked()).toBe(false);
  await api.getByLabel(tr.access.allow).click();
  await eventually(() => stepState('api')).toBe('done');
  await person.press(tr.apiAccess.rotate, api);
  await person.confirm(tr.apiAccess.rotate);
  const key = await person.text(secret(tr.apiAccess.key));
  const hash = await person.text(secret(tr.apiAccess.hash));
  await person.press(tr.apiAccess.saved, person.dialog);
  expect(await stepState('balance')).toBe('your-turn');
  const reply = await program.client.post('/v1/get-balance/json', { request: { authentication: { key, hash } } });
  expect(reply.response.balance!.sms).toBe(99);
  await eventually(() => stepState('balance')).toBe('done');

  await person.open(paths.myTexts(), tr.legal.mine);
  for (const kind of ['terms', 'privacy'] as const)
    await person.row(tr.legal.kinds[kind]).getByText(tr.legal.version(1)).waitFor();

  function stepState(step: string): Promise<string | null> {
    return person.page.locator(`[data-step="${step}"]`).getAttribute('data-state');
  }
  function secret(label: string) {
    return person.page.locator(`[data-secret="${label}"]`);
  }
});
