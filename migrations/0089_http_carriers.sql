-- needs: 0.1.0
-- Carriers over HTTP. `kind` and what belongs to it; host, port and tls are those of the address, for people to read. A program
-- of the release before sees a carrier that it cannot bind to: its user name and password are empty there.
alter table carriers
  add column kind text not null default 'smpp' check (kind in ('smpp', 'http')),
  -- Which of the descriptions that come with the program; or one of its own.
  add column preset text,
  add column definition jsonb,
  -- Empty: the address of the description.
  add column base_url text not null default '',
  add column api_user text not null default '',
  -- Loopback and private addresses, and plain http.
  add column private boolean not null default false,
  -- Sealed like the password: a JSON object of names and values, among them that of the path for callbacks.
  add column secrets bytea,
  add constraint carriers_http_described check (kind = 'smpp' or (secrets is not null and (preset is null) <> (definition is null)));
