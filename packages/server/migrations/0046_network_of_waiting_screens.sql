-- The network that asked for a code, by which waiting screens share their limit. Null: a code of
-- the previous version.
alter table telao_codigo add column rede text;
