import { expect, test } from 'vitest';
import { paths } from './paths.ts';

test('the addresses people keep links to stay as they are', () => {
  const all = Object.entries(paths).map(([name, build]) => [name, build('X')]);
  expect(Object.fromEntries(all)).toMatchInlineSnapshot(`
    {
      "access": "/ayarlar/guvenlik/erisim",
      "apiAccess": "/ayarlar/guvenlik/api",
      "apiDocs": "/gelistirici/belge",
      "apiLog": "/gelistirici/gunluk",
      "audit": "/ayarlar/denetim",
      "balance": "/bakiye",
      "blacklist": "/kara-liste",
      "consentImport": "/izinler/ice-aktar",
      "consents": "/izinler",
      "inbox": "/gelen-kutusu",
      "invite": "/davet/X",
      "myTexts": "/ayarlar/metinler",
      "number": "/numara/X",
      "order": "/siparisler/X",
      "orders": "/siparisler",
      "overview": "/",
      "profile": "/ayarlar/profil",
      "reports": "/raporlar",
      "reset": "/sifre",
      "scheduled": "/zamanlanmis",
      "send": "/gonder",
      "senderApply": "/basliklar/basvur",
      "senders": "/basliklar",
      "sending": "/ayarlar/gonderim",
      "settings": "/ayarlar",
      "signIn": "/giris",
      "signUp": "/kayit",
      "staffAccount": "/isletmeci/hesaplar/X",
      "staffAccounts": "/isletmeci/hesaplar",
      "staffApplications": "/isletmeci/basvurular",
      "staffAudit": "/isletmeci/denetim",
      "staffCarrier": "/isletmeci/operatorler/X",
      "staffCarriers": "/isletmeci/operatorler",
      "staffQueue": "/isletmeci/kuyruk",
      "staffRegistry": "/isletmeci/iys",
      "staffStatus": "/isletmeci",
      "staffTexts": "/isletmeci/metinler",
      "staffWebhooks": "/isletmeci/bildirimler",
      "start": "/baslarken",
      "staticIp": "/ayarlar/guvenlik/ip",
      "subscription": "/basliklar/abonelik",
      "texts": "/metinler",
      "users": "/ayarlar/kullanicilar",
      "webhook": "/gelistirici/bildirim",
    }
  `);
});
