// The expected answer of each code. The texts are repeated here on purpose: they are the contract, and an error in
// src/status.ts must not pass because the test reads the same table.
import { expect } from 'vitest';
import type { Reply, WireResponse } from './client.ts';

export const texts: Record<number, string> = {
  200: 'İşlem başarılı',
  400: 'İstek çözümlenemedi',
  401: 'Üyelik bilgileri hatalı',
  402: 'Bakiye yetersiz',
  403: 'Aktif abonelik bulunamadı',
  404: 'API istek yapılan yönteme sahip değil',
  405: 'Aylık izin kayıt kotanız doldu',
  422: 'İstekte gönderilen bazı değerler doğrulanamadı',
  450: 'Gönderilen başlık kullanıma uygun değil',
  451: 'Tekrar eden sipariş',
  452: 'Mesaj alıcıları hatalı',
  453: 'Sipariş boyutu aşıldı',
  454: 'Mesaj metni boş',
  455: 'Sipariş bulunamadı',
  456: 'Sipariş gönderim tarihi henüz gelmedi',
  457: 'Mesaj gönderim tarihinin formatı hatalı',
  458: 'Tarih aralığı hatalı',
  464: 'Page değeri 1 den başlamalı.',
  466: 'Hatalı numara',
  468: 'IYS üzerinden sorgulama yapılıp, yapılmayacağını ayarlamalısınız.',
  469: 'IYS listenizi seçmelisiniz, BIREYSEL veya TACIR.',
  470: 'IYS kodunuzu ayarlamalısınız.',
  474: 'Bu numara üzerindeki engelleme kaldırılamaz',
  475: 'Alıcı sayısı 5000 kişiyi geçemez',
  503: 'Sunucu geçici olarak servis dışı',
};

/** 469 after a list was chosen. */
export const nobodyConsents = 'Alıcıların hiçbirinin İYS onayı yok.';

/** Checks code, HTTP status, text, content type, and that there is no result; returns `response.errors`. */
export function expectRefusal(reply: Reply, code: number, message = texts[code]!): Record<string, string> {
  expectHead(reply, code, message);
  const { status: _status, errors = {}, ...rest } = reply.response;
  expect(rest).toEqual({});
  if (code !== 422) expect(reply.response).not.toHaveProperty('errors');
  return errors;
}

/** Checks success with exactly these members beside `status`. */
export function expectSuccess(reply: Reply, ...members: (keyof WireResponse)[]): WireResponse {
  expectHead(reply, 200, texts[200]!);
  const { status: _status, ...rest } = reply.response;
  expect(Object.keys(rest).sort()).toEqual([...members].sort());
  return reply.response;
}

function expectHead(reply: Reply, code: number, message: string): void {
  expect({ http: reply.http, ...reply.response.status }).toEqual({ http: code, code, message });
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
}
