// Code with a copy button. No syntax highlighter: it would be as large as all pages together.
import { t } from '../text/language.ts';
import { CopyButton } from './copy.tsx';

export function CodeBlock(props: { code: string; wrap?: boolean; label?: string; copyKey?: string }) {
  return (
    <div style={{ position: 'relative', minWidth: 0 }}>
      <div className="code-copy">
        <CopyButton value={props.code} shortcut={props.copyKey} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section tabIndex={0} aria-label={props.label ?? t.docs.snippet} className={`code ${props.wrap ? 'wrap' : ''}`}>
        <pre>{props.code}</pre>
      </section>
    </div>
  );
}
