// Made of the server's operation table by generate/wire-text.ts; not written by hand.

export const operations = {
  'send-sms': { path: "/v1/send-sms/json", codes: [400, 401, 402, 404, 422, 450, 451, 452, 453, 454, 457, 468, 469, 470, 503] },
  'cancel-order': { path: "/v1/cancel-order/json", codes: [400, 401, 404, 455, 503] },
  'get-report': { path: "/v1/get-report/json", codes: [400, 401, 404, 455, 456, 464, 503] },
  'get-reports': { path: "/v1/get-reports/json", codes: [400, 401, 404, 458, 464, 503] },
  'get-balance': { path: "/v1/get-balance/json", codes: [400, 401, 404, 503] },
  'get-sender': { path: "/v1/get-sender/json", codes: [400, 401, 404, 503] },
  'get-blacklist': { path: "/v1/get-blacklist/json", codes: [400, 401, 404, 422, 464, 503] },
  'add-blacklist': { path: "/v1/add-blacklist/json", codes: [400, 401, 404, 466, 503] },
  'delete-blacklist': { path: "/v1/delete-blacklist/json", codes: [400, 401, 404, 466, 474, 503] },
  'iys-register': { path: "/v1/consent/create/json", codes: [400, 401, 403, 404, 405, 422, 475, 503] },
  'iys-check': { path: "/v1/consent/show/json", codes: [400, 401, 403, 404, 422, 503] },
  'get-inbox': { path: "/v1/get-inbox/json", codes: [400, 401, 404, 422, 464, 503] },
} as const;

export type OperationName = keyof typeof operations;

/** Every code that may be answered, with its text. */
export const statusTexts = {
  200: "İşlem başarılı",
  400: "İstek çözümlenemedi",
  401: "Üyelik bilgileri hatalı",
  402: "Bakiye yetersiz",
  403: "Aktif abonelik bulunamadı",
  404: "API istek yapılan yönteme sahip değil",
  405: "Aylık izin kayıt kotanız doldu",
  422: "İstekte gönderilen bazı değerler doğrulanamadı",
  450: "Gönderilen başlık kullanıma uygun değil",
  451: "Tekrar eden sipariş",
  452: "Mesaj alıcıları hatalı",
  453: "Sipariş boyutu aşıldı",
  454: "Mesaj metni boş",
  455: "Sipariş bulunamadı",
  456: "Sipariş gönderim tarihi henüz gelmedi",
  457: "Mesaj gönderim tarihinin formatı hatalı",
  458: "Tarih aralığı hatalı",
  464: "Page değeri 1 den başlamalı.",
  466: "Hatalı numara",
  468: "IYS üzerinden sorgulama yapılıp, yapılmayacağını ayarlamalısınız.",
  469: "IYS listenizi seçmelisiniz, BIREYSEL veya TACIR.",
  470: "IYS kodunuzu ayarlamalısınız.",
  474: "Bu numara üzerindeki engelleme kaldırılamaz",
  475: "Alıcı sayısı 5000 kişiyi geçemez",
  503: "Sunucu geçici olarak servis dışı",
} as const;

export type StatusCode = keyof typeof statusTexts;
export type ErrorCode = Exclude<StatusCode, 200>;

export const limits = {
  recipientsPerOrder: 50000,
  consentsPerRequest: 5000,
  rowsPerPage: 1000,
  ordersPerPage: 30,
  reportRangeDays: 10,
  bodyBytes: 33554432,
} as const;

/** Sends one text, or several, to up to 50,000 numbers; now or at a time. */
export type SendSmsRequest = {
  order: {
    /** an approved sender ID, or APITEST while none is approved */
    sender: string;
    message: {
      /** `message` may also be a list, each entry with its own text and recipients */
      text: string | number;
      receipents: {
        /** 1 to 50,000 numbers; commas or semicolons inside one separate several, each counted */
        number: (string | number)[] | string | number;
      };
    } | ({
      /** `message` may also be a list, each entry with its own text and recipients */
      text: string | number;
      receipents: {
        /** 1 to 50,000 numbers; commas or semicolons inside one separate several, each counted */
        number: (string | number)[] | string | number;
      };
    })[];
    /** DD/MM/YYYY HH:MM (also with seconds, also YYYY-MM-DD HH:MM[:SS]); absent or empty = now */
    sendDateTime?: string | string[];
    /** "1" checks consent (commercial message), "0" or absent does not */
    iys?: "0" | "1" | 0 | 1 | boolean;
    /** required with iys 1 */
    iysList?: "BIREYSEL" | "TACIR";
    /** Unicode, Turkish or English for this order; absent = the mode of the account */
    encoding?: "utf8" | "gsm0338-tr" | "gsm0338";
  };
};
export type SendSmsAnswer = {
  order: {
    id: string;
    orderId: string;
  };
};

/** Cancels a scheduled order that has not begun; its credit comes back. */
export type CancelOrderRequest = {
  order: {
    id: number | string;
  };
};
export type CancelOrderAnswer = Record<never, never>;

/** What became of an order, recipient by recipient. */
export type GetReportRequest = {
  order: {
    id: number | string;
    page?: number | string;
    /** at most 1000 */
    rowCount?: number | string;
  };
};
export type GetReportAnswer = {
  order: {
    id: string;
    /** 113 under way, 114 finished (look at the counters), 115 failed or cancelled */
    status: 113 | 114 | 115;
    total: number;
    delivered: number;
    undelivered: number;
    waiting: number;
    /** Turkey local time */
    submitAt: string;
    /** Turkey local time */
    sendAt: string;
    sender: string;
    /** credits consumed, plus what is reserved for waiting messages */
    price: number;
    message: ({
      /** with +90; a bad one as it was given, at most 20 characters */
      number: string;
      /** 110 being sent, 111 delivered, 112 not delivered */
      status: 110 | 111 | 112;
    })[];
  };
};

/** The orders of up to ten days with their counters, newest first. */
export type GetReportsRequest = {
  filter: {
    /** YYYY-MM-DD, also with a time */
    start: string;
    /** the same, at most 10 days after start */
    end: string;
    /** 30 orders a page; may also stand beside `filter` */
    page?: number | string;
  };
  /** 30 orders a page; may also stand beside `filter` */
  page?: number | string;
};
export type GetReportsAnswer = {
  /** orders in the range */
  count: number;
  orders: ({
    id: number;
    /** 113 under way, 114 finished (look at the counters), 115 failed or cancelled */
    status: 113 | 114 | 115;
    total: number;
    delivered: number;
    undelivered: number;
    waiting: number;
    /** Turkey local time */
    submitAt: string;
    /** Turkey local time */
    sendAt: string;
    sender: string;
  })[];
};

/** Credit and money of the account; the way to check credentials, without side effects. */
export type GetBalanceRequest = Record<never, never>;
export type GetBalanceAnswer = {
  balance: {
    /** money */
    amount: number;
    /** credit that can still be spent */
    sms: number;
  };
};

/** The approved sender IDs. */
export type GetSenderRequest = Record<never, never>;
export type GetSenderAnswer = {
  senders: {
    /** approved sender IDs; empty when there is none, then APITEST may be used */
    sender: string[];
  };
};

/** The blacklist in pages, all of it or what was added in a time. */
export type GetBlacklistRequest = {
  blacklist?: {
    filter?: {
      /** date, with or without time */
      start?: string;
      /** date, with or without time */
      end?: string;
    };
    page?: number | string;
    /** at most 1000 */
    rowCount?: number | string;
  };
};
export type GetBlacklistAnswer = {
  blacklist: {
    /** what the filter matches */
    count: number;
    /** this page, oldest first */
    number: string[];
  };
};

/** Adds a number to the blacklist; adding it again is 200 and changes nothing. */
export type AddBlacklistRequest = {
  blacklist: {
    /** one number */
    number: string | number;
  };
};
export type AddBlacklistAnswer = Record<never, never>;

/** Takes a number off the blacklist. */
export type DeleteBlacklistRequest = {
  blacklist: {
    /** one number */
    number: string | number;
  };
};
export type DeleteBlacklistAnswer = Record<never, never>;

/** Stores consents and refusals for the registry, all or none. */
export type IysRegisterRequest = {
  consent: {
    brandCode: number | string;
    /** 1 to 5,000 records, stored all or none */
    list: ({
      /** number or e-mail address */
      recipient: string | number;
      recipientType: "BIREYSEL" | "TACIR";
      type: "MESAJ" | "EPOSTA" | "ARAMA";
      status: "ONAY" | "RET";
      source: "HS_FIZIKSEL_ORTAM" | "HS_ISLAK_IMZA" | "HS_ETKINLIK" | "HS_EORTAM" | "HS_WEB" | "HS_MOBIL" | "HS_MESAJ" | "HS_EPOSTA" | "HS_CAGRI_MERKEZI" | "HS_SOSYAL_MEDYA" | "HS_ATM" | "HS_KARAR";
      /** YYYY-MM-DD HH:MM:SS, Turkey time, at most 3 days old */
      consentDate: string | number;
    })[];
  };
};
export type IysRegisterAnswer = Record<never, never>;

/** The latest consent record of a recipient that counts. */
export type IysCheckRequest = {
  consent: {
    brandCode: number | string;
    /** number or e-mail address */
    recipient: string | number;
    recipientType: "BIREYSEL" | "TACIR";
    type: "MESAJ" | "EPOSTA" | "ARAMA";
  };
};
export type IysCheckAnswer = {
  consent: {
    brandCode: number;
    recipient: string;
    recipientType: "BIREYSEL" | "TACIR";
    type: "MESAJ" | "EPOSTA" | "ARAMA";
    status: "ONAY" | "RET";
    source: string;
    /** Turkey local time */
    consentDate: string;
  };
};

/** Messages that people wrote to the account, newest first. */
export type GetInboxRequest = {
  inbox?: {
    filter?: {
      /** date, with or without time */
      start?: string;
      /** date, with or without time */
      end?: string;
    };
    page?: number | string;
    /** at most 1000 */
    rowCount?: number | string;
  };
};
export type GetInboxAnswer = {
  inbox: {
    /** what the filter matches */
    count: number;
    /** newest first */
    message: ({
      id: number;
      /** who wrote */
      number: string;
      /** the number written to */
      to: string;
      text: string;
      /** Turkey local time */
      receivedAt: string;
    })[];
  };
};

export type Requests = {
  'send-sms': SendSmsRequest;
  'cancel-order': CancelOrderRequest;
  'get-report': GetReportRequest;
  'get-reports': GetReportsRequest;
  'get-balance': GetBalanceRequest;
  'get-sender': GetSenderRequest;
  'get-blacklist': GetBlacklistRequest;
  'add-blacklist': AddBlacklistRequest;
  'delete-blacklist': DeleteBlacklistRequest;
  'iys-register': IysRegisterRequest;
  'iys-check': IysCheckRequest;
  'get-inbox': GetInboxRequest;
};

export type Answers = {
  'send-sms': SendSmsAnswer;
  'cancel-order': CancelOrderAnswer;
  'get-report': GetReportAnswer;
  'get-reports': GetReportsAnswer;
  'get-balance': GetBalanceAnswer;
  'get-sender': GetSenderAnswer;
  'get-blacklist': GetBlacklistAnswer;
  'add-blacklist': AddBlacklistAnswer;
  'delete-blacklist': DeleteBlacklistAnswer;
  'iys-register': IysRegisterAnswer;
  'iys-check': IysCheckAnswer;
  'get-inbox': GetInboxAnswer;
};

/** What becomes of a message: accepted, then delivered or undelivered. */
export type ReportEvent = {
  report: {
    /** number of the message */
    id: number;
    /** number of the order */
    packet_id: number;
    status: "accepted" | "delivered" | "undelivered";
    /** recipient with +90; a bad number as it was given */
    to: string;
    /** your text, without the operator code */
    body: string;
  };
};

/** A message that somebody wrote to the account; only if switched on. */
export type InboundEvent = {
  inbound: {
    id: number;
    /** who wrote */
    number: string;
    /** the number written to */
    to: string;
    text: string;
    /** Turkey local time */
    receivedAt: string;
  };
};

/** The test event of the panel. */
export type TestEvent = {
  test: {
    id: number;
    /** Turkey local time */
    sentAt: string;
  };
};

export type WebhookEvent = ReportEvent | InboundEvent | TestEvent;
