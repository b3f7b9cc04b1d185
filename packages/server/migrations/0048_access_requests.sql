-- Requests for access to a report ('Pedidos de acesso').
create table pedido_acesso (
  id_pedido integer generated always as identity primary key,
  id_usuario integer not null references usuario on delete cascade,
  -- The address as asked for. It may lead to no report: requests must not tell which reports exist.
  grupo_externo text not null,
  relatorio_externo text not null,
  id_registrado integer,
  -- The report at this address when it was asked for.
  id_relatorio integer references relatorio on delete set null,
  motivo text not null,
  -- 'ABERTO', 'LIBERADO', 'PERFIL' or 'RECUSADO'
  situacao text not null default 'ABERTO',
  criado_em timestamptz not null,
  respondido_em timestamptz,
  respondido_por integer references usuario on delete set null,
  id_perfil integer references perfil on delete set null,
  mensagem text
);
create unique index pedido_acesso_aberto on pedido_acesso
  (id_usuario, grupo_externo, relatorio_externo, coalesce(id_registrado, 0)) where situacao = 'ABERTO';
create index pedido_acesso_usuario on pedido_acesso (id_usuario, criado_em);
create index pedido_acesso_situacao on pedido_acesso (situacao, criado_em);
create index pedido_acesso_relatorio on pedido_acesso (id_relatorio);
create index pedido_acesso_respondido_por on pedido_acesso (respondido_por);
create index pedido_acesso_perfil on pedido_acesso (id_perfil);

-- Whether the search also finds the names of reports that a person cannot open.
alter table configuracao add column busca_sem_acesso boolean not null default false;
