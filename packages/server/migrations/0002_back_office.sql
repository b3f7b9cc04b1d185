-- The back office: profiles, bound pages, logos; indexes that keep lists fast at scale; versions that say when what a
-- person may see has changed.

create extension if not exists pg_trgm;

-- A generated column takes the database's own collation unless told: the folded names compare byte by byte.
drop index usuario_nome_ordem;
alter table usuario drop column nome_ordem;
alter table usuario add column nome_ordem text collate "C" generated always as (sem_acento(nome_usuario)) stored;
alter table usuario add column email_ordem text collate "C" generated always as (sem_acento(email_usuario)) stored;
alter table grupo_relatorio drop column nome_ordem;
alter table grupo_relatorio add column nome_ordem text collate "C" generated always as (sem_acento(nome_grupo)) stored;
alter table relatorio drop column nome_ordem;
alter table relatorio add column nome_ordem text collate "C" generated always as (sem_acento(nome_relatorio)) stored;
alter table powerbi add column nome_ordem text collate "C" generated always as (sem_acento(nome)) stored;
alter table responsavel add column nome_ordem text collate "C"
  generated always as (sem_acento(nome_responsavel)) stored;

-- Raised whenever the person's own grants or profiles change; what is kept in memory for them carries it.
alter table usuario add column versao_acesso bigint not null default 0;

-- One row, raised when reports, workspaces, bound pages or the contents of profiles change: anybody may be affected.
create table catalogo (
  unico boolean primary key default true check (unico),
  versao bigint not null default 0
);
insert into catalogo default values;

create table perfil (
  id_perfil integer generated always as identity primary key,
  nome_perfil text not null,
  nome_ordem text collate "C" generated always as (sem_acento(nome_perfil)) stored,
  versao integer not null default 1
);
create unique index perfil_nome_unico on perfil (nome_ordem);

create table perfil_relatorio (
  id_perfil integer not null references perfil on delete cascade,
  id_relatorio integer not null references relatorio on delete cascade,
  primary key (id_perfil, id_relatorio)
);
create index perfil_relatorio_relatorio on perfil_relatorio (id_relatorio);

create table perfil_usuario (
  id_usuario integer not null references usuario on delete cascade,
  id_perfil integer not null references perfil on delete cascade,
  primary key (id_usuario, id_perfil)
);
create index perfil_usuario_perfil on perfil_usuario (id_perfil);

-- The report shown on a page of BI Saúde; a page without a row shows none.
create table pagina (
  rota text primary key,
  id_relatorio integer not null references relatorio on delete cascade
);
create index pagina_relatorio on pagina (id_relatorio);

-- Drawn anew from what was uploaded: WebP, 128 × 128.
create table relatorio_logo (
  id_relatorio integer primary key references relatorio on delete cascade,
  imagem bytea not null,
  marca text not null
);

-- Order by any column, and pages of it, without sorting the table.
create index usuario_por_nome on usuario (nome_ordem, id_usuario);
create index usuario_por_email on usuario (email_ordem, id_usuario);
create index usuario_por_tipo on usuario (tipo_usuario, nome_ordem, id_usuario);
create index usuario_por_situacao on usuario (situacao, nome_ordem, id_usuario);
create index usuario_por_acesso on usuario (ultimo_acesso nulls first, id_usuario);
create index relatorio_por_nome on relatorio (nome_ordem, id_relatorio);
create index relatorio_por_grupo on relatorio (id_grupo_relatorio, nome_ordem, id_relatorio);
create index relatorio_por_operadora
  on relatorio (sem_acento(operadora_relatorio) collate "C", nome_ordem, id_relatorio);
create index grupo_relatorio_por_nome on grupo_relatorio (nome_ordem, id_grupo_relatorio);
create index powerbi_cliente on powerbi (cliente_id);
create index powerbi_responsavel on powerbi (id_responsavel);
create index usuario_responsavel on usuario (id_responsavel);
drop index relatorio_grupo;

-- Search by any part of the name. Without fastupdate no search has to read a list of what is not yet indexed.
create index usuario_busca on usuario using gin (nome_ordem gin_trgm_ops) with (fastupdate = off);
create index relatorio_busca on relatorio using gin (nome_ordem gin_trgm_ops) with (fastupdate = off);

-- Who changed a record, and when.
create index auditoria_objeto on auditoria (objeto, id_auditoria);
create index auditoria_edicoes on auditoria (objeto, id_auditoria) where acao like '%.updated';

-- How many rows the large lists hold: counting them all costs more than the page that is shown.
create table total_linhas (
  tabela text primary key,
  total bigint not null default 0
);
insert into total_linhas (tabela, total)
  values ('usuario', (select count(*) from usuario)), ('relatorio', (select count(*) from relatorio));

create function conta_linhas() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update total_linhas set total = total + (select count(*) from novas) where tabela = tg_table_name;
  elsif tg_op = 'DELETE' then
    update total_linhas set total = total - (select count(*) from velhas) where tabela = tg_table_name;
  else
    update total_linhas set total = 0 where tabela = tg_table_name;
  end if;
  return null;
end $$;
create trigger usuario_conta_novas after insert on usuario
  referencing new table as novas for each statement execute function conta_linhas();
create trigger usuario_conta_velhas after delete on usuario
  referencing old table as velhas for each statement execute function conta_linhas();
create trigger usuario_conta_nada after truncate on usuario for each statement execute function conta_linhas();
create trigger relatorio_conta_novas after insert on relatorio
  referencing new table as novas for each statement execute function conta_linhas();
create trigger relatorio_conta_velhas after delete on relatorio
  referencing old table as velhas for each statement execute function conta_linhas();
create trigger relatorio_conta_nada after truncate on relatorio for each statement execute function conta_linhas();

-- In triggers, so that no path to these tables can forget it.
create function muda_catalogo() returns trigger language plpgsql as $$
begin
  update catalogo set versao = versao + 1;
  return null;
end $$;
create trigger relatorio_muda_catalogo after insert or update or delete or truncate on relatorio
  for each statement execute function muda_catalogo();
create trigger grupo_muda_catalogo after insert or update or delete or truncate on grupo_relatorio
  for each statement execute function muda_catalogo();
create trigger perfil_relatorio_muda_catalogo after insert or update or delete or truncate on perfil_relatorio
  for each statement execute function muda_catalogo();
create trigger pagina_muda_catalogo after insert or update or delete or truncate on pagina
  for each statement execute function muda_catalogo();

-- Of a few people each row is raised; of many, the one row of all, which is dear to nobody.
create function muda_acesso() returns trigger language plpgsql as $$
begin
  if (select count(*) from mudadas) > 200 then
    update catalogo set versao = versao + 1;
  else
    update usuario set versao_acesso = versao_acesso + 1
      where id_usuario in (select id_usuario from mudadas);
  end if;
  return null;
end $$;
-- Rows that go with their report or profile: the catalogue is raised for everybody then, and no person's row is touched,
-- which whoever saves that person's grants may hold.
create function muda_acesso_retirado() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'relatorio_usuario' then
    if not exists (select from relatorio where id_relatorio in (select id_relatorio from mudadas)) then
      return null;
    end if;
  elsif not exists (select from perfil where id_perfil in (select id_perfil from mudadas)) then
    return null;
  end if;
  if (select count(*) from mudadas) > 200 then
    update catalogo set versao = versao + 1;
  else
    update usuario set versao_acesso = versao_acesso + 1
      where id_usuario in (select id_usuario from mudadas);
  end if;
  return null;
end $$;
create trigger perfil_muda_catalogo after delete on perfil
  for each statement execute function muda_catalogo();
create trigger grant_novo_muda_acesso after insert on relatorio_usuario
  referencing new table as mudadas for each statement execute function muda_acesso();
create trigger grant_velho_muda_acesso after delete on relatorio_usuario
  referencing old table as mudadas for each statement execute function muda_acesso_retirado();
create trigger membro_novo_muda_acesso after insert on perfil_usuario
  referencing new table as mudadas for each statement execute function muda_acesso();
create trigger membro_velho_muda_acesso after delete on perfil_usuario
  referencing old table as mudadas for each statement execute function muda_acesso_retirado();
-- Nothing here updates or empties these tables; should somebody do so by hand, nobody's menu may be older than that.
create trigger grants_mudam_catalogo after update or truncate on relatorio_usuario
  for each statement execute function muda_catalogo();
create trigger membros_mudam_catalogo after update or truncate on perfil_usuario
  for each statement execute function muda_catalogo();
