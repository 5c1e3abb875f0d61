-- What receipts say: which messages they end, and which submissions are spent by them. A message of one part ends with its
-- receipt, one of several with the first failure or the last delivery. Receipts that fit nothing are kept (unmatched), unless they
-- repeat what was stored before. p_outcomes: messages that end in the same flush without a receipt.
create or replace function read_receipts_1(p_receipts receipt_columns, p_outcomes bigint[],
  out ends message_ends, out spent tid[], out unmatched integer) language plpgsql as $$
declare
  v_told record;
begin
  v_told := match_plain_1(p_receipts);
  if not v_told.is_plain then v_told := match_newest_1(p_receipts); end if;
  ends := v_told.ends;
  spent := v_told.spent;
  unmatched := case when v_told.missing is null then 0 else keep_receipts_1(p_receipts, v_told.missing) end;
  if v_told.long is not null then
    -- Parts of one message may be reported to two processes at once: the message row decides who counts last. With all
    -- others that end here, because messages are locked by id.
    perform 1 from messages m where m.id = any (v_told.long || ends.messages || p_outcomes) order by m.id for update;
    ends := add_ends_1(ends, complete_long_1(v_told.delivered, v_told.long));
  end if;
  -- From here on their ids are unknown; should they come again, nobody else may be told by them.
  if v_told.digests is not null then insert into settled_receipts (digests) values (v_told.digests); end if;
end $$;
