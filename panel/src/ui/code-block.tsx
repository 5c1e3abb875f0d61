// Code or raw matter with a copy button. No highlighter: monospace and good line breaks read well enough, and a
// highlighter would weigh as much as all pages together.
import { t } from '../text/language.ts';
import { CopyButton } from './copy.tsx';

export function CodeBlock(props: { code: string; wrap?: boolean; label?: string }) {
  return (
    <div style={{ position: 'relative', minWidth: 0 }}>
      <div style={{ position: 'absolute', top: 6, right: 6 }}>
        <CopyButton value={props.code} />
      </div>
      <pre
        className={`code ${props.wrap ? 'wrap' : ''}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        role="region"
        aria-label={props.label ?? t.docs.snippet}
      >
        {props.code}
      </pre>
    </div>
  );
}
