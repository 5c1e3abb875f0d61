// The package brings no types; this is the one function in use.
declare module 'qrcode' {
  const code: { toString(text: string, options: { type: 'svg'; margin: number }): Promise<string> };
  export default code;
}
