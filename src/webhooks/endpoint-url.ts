// Checks the webhook URL of an account. The address behind its name may change later, so each connection checks it again
// (src/http-client).
import { isIP } from 'node:net';
import { hostOf, isPublicAddress } from '../http-client/public-address.ts';

const urlLengthMax = 2_000;

/** The URL to store; throws an Error with a text for people. */
export function checkWebhookUrl(given: string, allowPrivate: boolean): string {
  const text = given.trim();
  if (text === '') return '';
  if (text.length > urlLengthMax)
    throw refusal(`en çok ${urlLengthMax} karakter olabilir`, `at most ${urlLengthMax} characters`);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:\/\//i.test(text)) throw refusal('geçerli bir https adresi değil', 'not a valid https URL');
  if (url.protocol !== 'https:' && !allowPrivate) throw refusal('https ile başlamalı', 'must begin with https');
  if (url.username !== '' || url.password !== '')
    throw refusal('kullanıcı adı ve parola içeremez', 'must not contain a user name or password');
  const host = hostOf(url);
  if (!allowPrivate && (isIP(host) ? !isPublicAddress(host) : isLocalName(host)))
    throw refusal('özel ya da yerel bir ağ adresi olamaz', 'must not be a private or local address');
  url.hash = '';
  return url.href;
}

/** The same where there must be one. */
export function requireWebhookUrl(given: string, allowPrivate: boolean): string {
  const url = checkWebhookUrl(given, allowPrivate);
  if (url === '') throw refusal('boş olamaz', 'must not be empty');
  return url;
}

function isLocalName(host: string): boolean {
  return !host.includes('.') || /(^|\.)localhost\.?$/i.test(host);
}

function refusal(turkish: string, english: string): Error {
  return new Error(`Webhook adresi ${turkish} (webhook URL: ${english})`);
}
