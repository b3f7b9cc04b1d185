-- Direct grants and accounts with an end; null: none. From vence_em on, they count no more.
alter table usuario add column vence_em timestamptz;
alter table relatorio_usuario add column vence_em timestamptz;
create index usuario_vence on usuario (vence_em) where vence_em is not null;
create index relatorio_usuario_vence on relatorio_usuario (id_usuario, vence_em) where vence_em is not null;

-- The ends of which people were told; another end is told again. id_relatorio 0: the account itself.
create table vencimento_avisado (
  id_usuario integer not null references usuario on delete cascade,
  id_relatorio integer not null default 0,
  vence_em timestamptz not null,
  primary key (id_usuario, id_relatorio, vence_em)
);

-- A grant that is updated concerns its person. Only an update by hand moves one to another person or report.
drop trigger grants_mudam_catalogo on relatorio_usuario;
create trigger grants_mudam_catalogo after update of id_usuario, id_relatorio or truncate on relatorio_usuario
  for each statement execute function muda_catalogo();
create trigger grant_mudado_muda_acesso after update on relatorio_usuario
  referencing new table as mudadas for each statement execute function muda_acesso();
