// Splits commands of a shell block into words without running them: quotes, continued lines, comments, `&&` and line ends.
type Words = string[];

const piece = /\\\n\s*|\s+#[^\n]*|^#[^\n]*|&&|\n|[ \t]+|'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|[^\s'"\\&]+|&/y;

export function shellCommands(text: string): Words[] {
  const commands: Words[] = [];
  let words: Words = [];
  let word: string | null = null;
  const endWord = () => {
    if (word !== null) words.push(word);
    word = null;
  };
  const endCommand = () => {
    endWord();
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (piece.lastIndex = 0; piece.lastIndex < text.length; ) {
    const [all, single, double, escaped] = piece.exec(text)!;
    if (all.startsWith('\\\n') || /^[ \t]+$/.test(all) || /^\s+#/.test(all)) endWord();
    else if (all === '\n' || all === '&&') endCommand();
    else if (!all.startsWith('#') || word !== null) word = (word ?? '') + (single ?? double ?? escaped ?? all);
    // A comment ends with its line, and so does the command before it.
    if (/^\s+#/.test(all) && all.includes('\n')) endCommand();
  }
  endCommand();
  return commands;
}
