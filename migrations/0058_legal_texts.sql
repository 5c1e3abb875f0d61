-- Terms of use and privacy notice, by version. A version is written once and never changed: what somebody accepted can be
-- read again for ever. Version 1 is a template of the program: it binds nobody who has not signed up under it.
create table legal_texts (
  kind text not null check (kind in ('terms', 'privacy')),
  version integer not null check (version > 0),
  tr text not null,
  en text not null,
  valid_from timestamptz not null,
  -- null: the template.
  published_by text,
  published_at timestamptz not null default now(),
  primary key (kind, version)
);

create table legal_acceptances (
  user_id bigint not null references users (id) on delete cascade,
  kind text not null,
  version integer not null,
  accepted_at timestamptz not null default now(),
  address text not null,
  primary key (user_id, kind, version),
  foreign key (kind, version) references legal_texts (kind, version)
);
create index legal_acceptances_of_text on legal_acceptances (kind, version);

insert into legal_texts (kind, version, tr, en, valid_from) values
('terms', 1,
'TASLAK METİN. İşletmeci bu metni kendi koşullarıyla değiştirmelidir; köşeli parantez içindeki yerler doldurulmadan yayımlanmamalıdır.

1. Taraflar. Bu koşullar, [işletmecinin ticari unvanı], [adres], [MERSİS numarası] (İşletmeci) ile panelde hesap açan kişi ya da kuruluş (Müşteri) arasındadır. İletişim: [e-posta], [telefon], [KEP].

2. Hizmet. İşletmeci, Müşterinin verdiği SMS siparişlerini operatörlere iletir ve sonuçlarını bildirir. Bir mesajın operatörce kabulü, alıcının telefonuna ulaştığı anlamına gelmez.

3. Müşterinin sorumluluğu. İletilerin içeriği Müşterinindir. Müşteri; ticari iletiler için 6563 sayılı Kanun ve ilgili yönetmelik uyarınca alıcıların önceden onayını almak, onay ve ret bilgilerini İleti Yönetim Sistemine (İYS) kaydetmek ve ret bildirimlerine üç iş günü içinde uymakla yükümlüdür. Yalnız kullanmaya yetkili olduğu başlıkları kullanır.

4. Kredi. Kredi, sipariş kabul edilirken ayrılır; iletilen mesajlar için harcanır, iletilemeyenler için geri verilir. Ücret, fatura ve iade koşulları: [doldurun].

5. Askıya alma. Hukuka aykırı, aldatıcı ya da şikâyet konusu gönderimlerde İşletmeci hesabı askıya alabilir ve sebebini bildirir.

6. Süre ve sona erme: [doldurun]. Sorumluluğun sınırı: [doldurun].

7. Uygulanacak hukuk Türk hukukudur. Yetkili mahkeme ve icra daireleri: [doldurun].',
'TEMPLATE. The operator must replace this text with its own terms; it must not be published before the places in square brackets are filled in.

1. Parties. These terms are between [trade name of the operator], [address], [MERSİS number] (the Operator) and the person or organisation that opens an account in the panel (the Customer). Contact: [e-mail], [telephone], [registered e-mail].

2. Service. The Operator hands the Customer’s SMS orders to carriers and reports what became of them. That a carrier accepted a message does not mean that it reached the recipient’s phone.

3. Responsibility of the Customer. The content of messages is the Customer’s. For commercial messages the Customer must have the prior consent of the recipients under Law 6563 and its regulation, record consents and refusals in the message management system (İYS), and follow a refusal within three business days. The Customer uses only sender IDs that it is entitled to.

4. Credit. Credit is reserved when an order is accepted, spent on messages that are delivered and given back for those that are not. Prices, invoices and refunds: [fill in].

5. Suspension. Where messages are unlawful, deceptive or complained of, the Operator may suspend the account and tells the reason.

6. Term and end: [fill in]. Limits of liability: [fill in].

7. Turkish law applies. Courts and enforcement offices: [fill in].',
now()),
('privacy', 1,
'TASLAK METİN. İşletmeci bu aydınlatma metnini kendi bilgileriyle değiştirmelidir; köşeli parantez içindeki yerler doldurulmadan yayımlanmamalıdır.

1. Veri sorumlusu. 6698 sayılı Kişisel Verilerin Korunması Kanunu (KVKK) uyarınca veri sorumlusu [işletmecinin ticari unvanı], [adres]. Alıcıların numaraları ve ileti metinleri bakımından veri sorumlusu Müşteri, İşletmeci veri işleyendir.

2. İşlenen veriler. Ad, e-posta adresi, cep telefonu numarası, şirket ve vergi bilgileri, başvuru belgeleri, oturum ve işlem kayıtları (zaman, IP adresi, işlem), gönderim kayıtları.

3. Amaç ve hukuki sebep. Sözleşmenin kurulması ve yerine getirilmesi, hukuki yükümlülükler (elektronik haberleşme, vergi ve 5651 sayılı Kanun), hizmetin güvenliği.

4. Aktarım. Mesajlar iletilmek üzere operatörlere, onay kayıtları İYS’ye, hukuken yetkili kurumlara istem üzerine aktarılır. Yurt dışına aktarım: [doldurun].

5. Saklama süreleri: [doldurun]. Süre bitiminde veriler silinir ya da anonim hâle getirilir.

6. Haklarınız. KVKK’nın 11. maddesindeki haklarınız (bilgi isteme, düzeltme, silme, itiraz) için başvuru: [adres], [KEP], [e-posta].',
'TEMPLATE. The operator must replace this notice with its own; it must not be published before the places in square brackets are filled in.

1. Controller. Under Law 6698 on the protection of personal data (KVKK) the controller is [trade name of the operator], [address]. For recipients’ numbers and the texts of messages the Customer is the controller and the Operator a processor.

2. Data. Name, e-mail address, mobile number, company and tax details, documents of applications, records of sessions and deeds (time, IP address, deed), records of sending.

3. Purpose and ground. Making and performing the contract, legal duties (electronic communications, tax, Law 5651), security of the service.

4. Transfer. Messages go to carriers for delivery, consent records to the İYS, and data to authorities that are entitled to ask. Transfer abroad: [fill in].

5. Retention: [fill in]. Afterwards data are erased or made anonymous.

6. Your rights. For your rights under article 11 of the KVKK (information, correction, erasure, objection) write to [address], [registered e-mail], [e-mail].',
now());
