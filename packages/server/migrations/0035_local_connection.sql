-- True once the portal has registered the connection to its local report service, or found one: an
-- ADMIN may delete it.
alter table configuracao add column servico_local_registrado boolean not null default false;
