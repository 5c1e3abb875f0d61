-- needs: 0.1.0
-- How far the backup is, for whoever watches: `peyk doctor` and /metrics. What is in the target itself is what counts.
create table backup_state (
  one boolean primary key default true check (one),
  chain text not null,
  -- When the last whole base backup was finished.
  base_at timestamptz,
  -- Everything before is in the target.
  reached_at timestamptz,
  trouble text,
  trouble_since timestamptz
);
