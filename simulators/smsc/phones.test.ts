import { describe, expect, it } from 'vitest';
import { Phones } from './phones.ts';
import { Submit } from './wire.ts';

const TO = '905550000000';

function submit(octets: string | Buffer, fields: Partial<Submit> = {}): Submit {
  const userData = typeof octets === 'string' ? octets : octets.toString('latin1');
  return Object.assign(new Submit(), { source: 'PEYK', destination: TO, userData }, fields);
}

function withHeader(headerHex: string, text: string, fields: Partial<Submit> = {}): Submit {
  return submit(Buffer.concat([Buffer.from(headerHex, 'hex'), Buffer.from(text, 'latin1')]), {
    esmClass: 0x40,
    ...fields,
  });
}

function shown(submits: Submit[], phones = new Phones()): string[] {
  for (const one of submits) phones.receive(one, 1_700_000_000_000);
  return phones.shownOn(TO).map(message => `${message.parts}:${message.text}`);
}

describe('parts', () => {
  it('parts with an 8-bit reference are joined in their order, however they arrive', () => {
    const parts = [3, 1, 2].map(n => withHeader(`05000342030${n}`, `p${n} `));
    expect(shown(parts)).toEqual(['3:p1 p2 p3 ']);
  });

  it('parts with a 16-bit reference are joined', () => {
    expect(
      shown([withHeader('06080412340202', 'dünya'.replace('ü', '~')), withHeader('06080412340201', 'merhaba ')]),
    ).toEqual(['2:merhaba dünya']);
  });

  it('16-bit references that share a low octet are different messages', () => {
    expect(shown([withHeader('06080411340201', 'a'), withHeader('06080412340202', 'b')])).toEqual([]);
  });

  it('parts numbered by SAR parameters are joined', () => {
    const part = (sequence: number, text: string) =>
      submit(text, { sarReference: 700, sarTotal: 2, sarSequence: sequence });
    expect(shown([part(2, 'iki'), part(1, 'bir ')])).toEqual(['2:bir iki']);
  });

  it('a message is not shown while a part is missing, nor because one part came twice', () => {
    const first = withHeader('050003420201', 'yarim');
    const phones = new Phones();
    expect(shown([first, first], phones)).toEqual([]);
    expect(phones.incomplete).toBe(1);
  });

  it('parts for another phone or of another sender do not mix', () => {
    const other = withHeader('050003420202', 'b', { source: 'BASKA' });
    const elsewhere = withHeader('050003420202', 'c', { destination: '905550000001' });
    expect(shown([withHeader('050003420201', 'a'), other, elsewhere])).toEqual([]);
  });

  it('a part numbered outside its total is shown by itself instead of being lost', () => {
    expect(shown([withHeader('050003420205', 'tek')])).toEqual(['1:tek']);
  });
});

describe('encodings', () => {
  it('the Turkish locking table is read', () => {
    expect(shown([withHeader('03250101', '\x07\x0b\x0c\x1c\x1d\x40\x60')])).toEqual(['1:ıĞğŞşİç']);
  });

  it('the Turkish single shift table is read in every part beside the concatenation header', () => {
    const parts = [1, 2].map(n => withHeader(`08000342020${n}240101`, n === 1 ? '\x1b\x73a' : '\x1b\x67b'));
    expect(shown(parts)).toEqual(['2:şağb']);
  });

  it('UCS-2 with a character outside the first plane is read', () => {
    expect(shown([submit(Buffer.from('Günaydın 😀', 'utf16le').swap16(), { dataCoding: 8 })])).toEqual([
      '1:Günaydın 😀',
    ]);
  });

  it('any octets are shown without failing', () => {
    const phones = new Phones();
    for (let seed = 1; seed < 2_000; seed++) {
      const octets = Buffer.from(
        Array.from({ length: seed % 40 }, (_, index) => ((seed * 7919 + index * 104_729) >> 3) & 255),
      );
      const one = submit(octets, { dataCoding: seed % 16, esmClass: seed % 2 === 0 ? 0x40 : 0 });
      phones.receive(one, 1);
      expect(() => phones.newest(1)).not.toThrow();
    }
  });
});

describe('bounds', () => {
  it('a phone keeps its newest messages up to its bound and the rest are counted', () => {
    const phones = new Phones(100, 3);
    expect(
      shown(
        ['1', '2', '3', '4', '5'].map(text => submit(text)),
        phones,
      ),
    ).toEqual(['1:3', '1:4', '1:5']);
    expect(phones.dropped).toBe(2);
  });

  it('all phones together keep the newest messages up to their bound', () => {
    const phones = new Phones(4, 3);
    for (let n = 0; n < 10; n++) phones.receive(submit(`${n}`, { destination: `90555000000${n % 5}` }), 1);
    expect(phones.stored).toBe(4);
    expect(phones.dropped).toBe(6);
    expect(phones.shownOn('905550000000')).toEqual([]);
    expect(phones.newest(10).map(message => message.text)).toEqual(['6', '7', '8', '9']);
    expect(phones.shownOn('905550000004').map(message => message.text)).toEqual(['9']);
  });

  it('bounds of a phone and of all phones together do not count one message twice', () => {
    const phones = new Phones(3, 1);
    for (let n = 0; n < 9; n++) phones.receive(submit(`${n}`), 1);
    expect(phones.dropped).toBe(8);
    expect(phones.shownOn(TO).map(message => message.text)).toEqual(['8']);
  });
});

describe('copies', () => {
  it('the same text to the same phone from the same sender counts as a copy, whatever its reference', () => {
    const phones = new Phones();
    shown(
      [
        withHeader('050003420201', 'a'),
        withHeader('050003420202', 'b'),
        withHeader('050003430201', 'a'),
        withHeader('050003430202', 'b'),
      ],
      phones,
    );
    expect(phones.duplicates).toBe(1);
  });

  it('another text, phone or sender is no copy', () => {
    const phones = new Phones();
    shown(
      [submit('a'), submit('b'), submit('a', { source: 'BASKA' }), submit('a', { destination: '905550000001' })],
      phones,
    );
    expect(phones.duplicates).toBe(0);
  });

  it('a million different messages hold no copy', () => {
    const phones = new Phones(1_000, 10);
    for (let n = 0; n < 1_000_000; n++)
      phones.receive(submit('ayni metin', { destination: `90${5_300_000_000 + n}` }), 1);
    expect(phones.duplicates).toBe(0);
  });
});
