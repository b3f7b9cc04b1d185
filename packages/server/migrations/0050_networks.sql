-- The networks from which people of each role may use the portal. An empty list allows all networks.
alter table configuracao add column redes_admin text[] not null default '{}';
alter table configuracao add column redes_usuario text[] not null default '{}';
