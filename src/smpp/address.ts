// The address of a subscriber or service as SMPP writes it: type of number, numbering plan, octets.
const international = { ton: 1, npi: 1 };
const alphanumeric = { ton: 5, npi: 0 };
/** Short codes of a network; as international numbers they would be shown with a plus. */
const shortCode = { ton: 3, npi: 0 };
const shortCodeDigits = 6;
const addressLength = 20;

/** Characters that are no octets become question marks. */
export function smppAddress(text: string): { ton: number; npi: number; address: string } {
  const address = text.slice(0, addressLength).replace(/[^\x01-\xff]/g, '?');
  if (!/^\d+$/.test(address)) return { ...alphanumeric, address };
  return { ...(address.length <= shortCodeDigits ? shortCode : international), address };
}
