// Signing in: second factor, recovery codes, sessions, invitations, roles.
import { expect, test } from 'vitest';
import { totpCode, totpStep } from '../../../src/people/totp.ts';
import { paths } from '../../src/paths.ts';
import { tr } from '../../src/text/tr.ts';
import { codeOn, customer, freshEmail, newVisitor, password } from '../people.ts';
import type { Visitor } from '../visitor.ts';

test('with the second factor on, signing in takes a code or a recovery code, each once', async () => {
  const person = await customer();
  await person.open(paths.profile(), tr.profile.title);
  await person.press(tr.profile.turnOn, person.card(tr.profile.twoFactor));
  await person.dialog.getByLabel(tr.profile.current).fill(password);
  await person.press(tr.common.next, person.dialog);
  const secret = await person.text(person.page.getByTestId('totp-secret'));
  await person.dialog.getByAltText('QR').waitFor();
  await person.field(tr.profile.code, person.dialog).fill('000 000');
  await person.press(tr.profile.confirm, person.dialog);
  await person.dialog.getByRole('alert').waitFor();
  const step = totpStep(Date.now());
  await person.field(tr.profile.code, person.dialog).fill(totpCode(secret, step).replace(/^.../, '$& '));
  await person.press(tr.profile.confirm, person.dialog);
  await person.reads(tr.profile.recoveryBody);
  const codes = (await person.text(person.dialog.locator('pre'))).split('\n');
  await person.press(tr.apiAccess.saved, person.dialog);
  await person.reads(tr.profile.twoFactorOn(codes.length));

  await person.press(new RegExp(`^${tr.shell.userMenu}`));
  await person.page.getByRole('menuitem', { name: tr.shell.signOut }).click();
  await person.heading(tr.signIn.title).waitFor();
  await person.signIn(person.email, password);
  const code = person.field(tr.signIn.code);
  expect(await code.getAttribute('autocomplete')).toBe('one-time-code');
  await code.fill(totpCode(secret, step));
  await person.press(tr.signIn.submit);
  await person.page.getByRole('alert').waitFor();
  await code.fill(totpCode(secret, step + 1));
  await person.press(tr.signIn.submit);
  await person.heading(tr.overview.title).waitFor();

  const second = await newVisitor();
  await second.open(paths.signIn(), tr.signIn.title);
  await second.signIn(person.email, password);
  await second.field(tr.signIn.code).fill(codes[0]!);
  await second.press(tr.signIn.submit);
  await second.heading(tr.overview.title).waitFor();
  await second.open(paths.profile(), tr.profile.title);
  await second.reads(tr.profile.twoFactorOn(codes.length - 1));

  await second.press(tr.profile.closeOthers);
  await second.reads(tr.profile.closed(1));
  await person.page.reload();
  await person.heading(tr.signIn.title).waitFor();
});

test('a forgotten password is reset by a code that comes by SMS', async () => {
  const person = await customer({ mobile: '0555 000 06 01' });
  const other = await newVisitor();
  await other.open(paths.signIn(), tr.signIn.title);
  await other.link(tr.signIn.forgot).click();
  await other.heading(tr.reset.title).waitFor();
  await other.press(tr.reset.send);
  await other.reads(tr.signUp.needEmail);
  await other.field(tr.signIn.email).fill(person.email);
  await other.press(tr.reset.send);
  await other.reads(tr.reset.sent);
  await other.field(tr.reset.code).fill(await codeOn('5550000601'));
  await other.page.getByLabel(tr.reset.password).fill('yepyeni bir parola 2');
  await other.press(tr.reset.submit);
  await other.reads(tr.reset.done);
  await other.open(paths.signIn(), tr.signIn.title);
  await other.signIn(person.email, 'yepyeni bir parola 2');
  await other.heading(tr.overview.title).waitFor();
});

test('a viewer sees every action, disabled, with the role it takes', async () => {
  const owner = await customer({ brand: 701_703 });
  await owner.open(paths.users(), tr.users.title);
  await owner.press(tr.users.invite);
  const email = freshEmail();
  await owner.field(tr.users.email, owner.dialog).fill(email);
  await owner.select(tr.users.role, owner.dialog).selectOption('viewer');
  await owner.press(tr.users.inviteAction, owner.dialog);
  const link = await owner.text(owner.page.locator(`[data-secret="${tr.users.inviteLink}"]`));
  await owner.press(tr.apiAccess.saved, owner.dialog);

  const viewer = await newVisitor();
  await viewer.page.goto(link);
  await viewer.reads(tr.invite.lead('Deneme Ltd', tr.roles.viewer));
  await viewer.page.getByLabel(tr.signIn.password).fill(password);
  await viewer.press(tr.invite.submit);
  await viewer.heading(tr.overview.title).waitFor();

  const actions: [path: string, title: string, button: string, role: string][] = [
    [paths.blacklist(), tr.blacklist.title, tr.blacklist.add, tr.roles.sender],
    [paths.consents(), tr.consents.title, tr.consents.add, tr.roles.sender],
    [paths.senders(), tr.senders.title, tr.senders.apply, tr.roles.owner],
    [paths.apiAccess(), tr.apiAccess.title, tr.apiAccess.create, tr.roles.owner],
    [paths.webhook(), tr.webhook.title, tr.webhook.addAndTest, tr.roles.owner],
    [paths.start(), tr.start.title, tr.start.send, tr.roles.sender],
  ];
  for (const [path, title, name, role] of actions) {
    await viewer.follow(path);
    await viewer.heading(title).waitFor();
    const button = viewer.button(name).first();
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    await button.hover();
    await viewer.reads(tr.roles.needs(role));
  }
  await reviewAsViewer(viewer);
  await expect(viewer.call('blacklist.add', { numbers: ['5550000701'] })).rejects.toThrow(/blacklist\.add/);
  await viewer.open(paths.staffAccounts(), tr.missing.forbidden);
});

async function reviewAsViewer(viewer: Visitor): Promise<void> {
  await viewer.open(paths.send(), tr.send.title);
  await viewer.field(tr.send.numbers).fill('0555 000 07 01');
  await viewer.field(tr.send.text).fill('Deneme');
  await viewer.reads(tr.roles.needs(tr.roles.sender));
  expect(await viewer.button(tr.send.submitBlank).getAttribute('aria-disabled')).toBe('true');
}
