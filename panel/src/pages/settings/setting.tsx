// One setting: what it is and a sentence at the left, its control at the right.
import '../../pages.css';
import type { ReactNode } from 'react';

export function Setting(props: { label: ReactNode; hint?: ReactNode; tall?: boolean; children: ReactNode }) {
  return (
    <div className={props.tall ? 'setting setting-top' : 'setting'}>
      <div>
        <b>{props.label}</b>
        {props.hint && <span className="second">{props.hint}</span>}
      </div>
      <div className="setting-control">{props.children}</div>
    </div>
  );
}
