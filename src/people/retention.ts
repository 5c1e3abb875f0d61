// Removes old sign-in data: sessions a day after their end, codes and counted attempts a day after they were requested.
import { sql } from '../db/db.ts';
import { dayMs, type RetentionStep } from '../db/retention.ts';

export const sessionsEnd: RetentionStep = {
  statement: sql('retention sessions')`delete from sessions where id = any (array(
    select id from sessions where expires_at < $1 order by expires_at limit 1000))`,
  olderMs: dayMs,
};

export const codesEnd: RetentionStep = {
  statement: sql('retention codes')`delete from sms_codes where id = any (array(
    select id from sms_codes where created_at < $1 order by created_at limit 1000))`,
  olderMs: dayMs,
};

// Longer than every window of a limit.
export const attemptsEnd: RetentionStep = {
  statement: sql('retention attempts')`delete from attempts where name = any (array(
    select name from attempts where last_at < $1 order by last_at limit 1000))`,
  olderMs: dayMs,
};

// Invitations that nobody accepted: these people were asked once and have no relation to us.
export const invitesEnd: RetentionStep = {
  statement: sql('retention invites')`delete from invites where id = any (array(
    select x.id from (select id, expires_at from invites order by id limit 1000) x where x.expires_at < $1))`,
  olderMs: 30 * dayMs,
};
