-- Consents that stopped counting, by when: looked at before each lease of commercial messages.
create index consent_uncounted_since on consent_records (account_id, synced_at) where not counts;
