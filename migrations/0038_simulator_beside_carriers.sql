-- The bundled simulator carries nothing beside other carriers unless somebody asked for it by name: in the setting of the
-- running program ('setting'), or by resuming it ('operator', which holds until it is paused). Null = nobody did.
alter table carriers add column wanted_by text check (wanted_by in ('setting', 'operator'));
