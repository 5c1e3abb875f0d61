// The frame of pages before sign-in: the form at the left, nine bars from leaning to standing at the right.
import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../text/language.ts';
import { Brand } from './brand.tsx';
import { PageHeading } from './page.tsx';
import { PublicTools } from './public-tools.tsx';

export function PublicFrame(props: { title: string; lead?: ReactNode; children: ReactNode; below?: ReactNode }) {
  return (
    <div className="public">
      <div className="public-left">
        <Brand />
        <main className="public-form">
          <PageHeading title={props.title} />
          <div className="public-lead">{props.lead ?? window.location.host}</div>
          {props.children}
          {props.below && <div className="public-below">{props.below}</div>}
        </main>
        <footer className="public-foot">
          <PublicTools />
        </footer>
      </div>
      <div className="public-right">
        <Staffs />
        <p className="public-word">{t.signIn.word}</p>
        <p className="public-about">{t.signIn.about}</p>
      </div>
    </div>
  );
}

const staffs = 9;
/** From leaning (moving) to standing (arrived). */
function Staffs() {
  return (
    <svg viewBox="0 0 780 450" className="public-staffs" aria-hidden="true">
      {Array.from({ length: staffs }, (_, at) => {
        const height = 178 + at * 28.4;
        const lean = ((staffs - 1 - at) / (staffs - 1)) * 44;
        const x = 36 + at * 80.5;
        const path = `M${x} 420h35l${lean} ${-height}h-35z`;
        return <path key={path} d={path} fill={`var(--staff-${at + 1})`} />;
      })}
      <path d="M0 420h780" stroke="var(--staff-ground)" strokeWidth="2.5" />
    </svg>
  );
}

export function TextLink(props: { to: string; children: ReactNode }) {
  return (
    <Anchor component={Link} to={props.to} size="sm" underline="always">
      {props.children}
    </Anchor>
  );
}
