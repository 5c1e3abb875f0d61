// A phone number as spreadsheets write it: "5550000000.0" is whole although Excel made it a decimal.
export const decimalNumber = /^(?:\+?90|0)?5\d{9}[.,]0+$/;

export function wholeNumber(cell: string): string {
  return decimalNumber.test(cell) ? cell.replace(/[.,]0+$/, '') : cell;
}
