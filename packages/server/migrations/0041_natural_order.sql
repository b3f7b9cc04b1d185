-- Natural order of names: 'Relatório 2' before 'Relatório 10', without regard to case and accents. Each number in a name
-- is padded to 15 digits; a longer one keeps its digits. The length is limited because an index entry's is.
create function ordem_natural(texto text) returns text
  language sql immutable strict parallel safe
  return left(regexp_replace(
    regexp_replace(sem_acento(texto), '(\d+)', '00000000000000\1', 'g'),
    '0+(\d{15})', '\1', 'g'), 600) collate "C";

alter table responsavel
  add column nome_natural text collate "C" generated always as (ordem_natural(nome_responsavel)) stored;
alter table usuario
  add column nome_natural text collate "C" generated always as (ordem_natural(nome_usuario)) stored;
alter table powerbi add column nome_natural text collate "C" generated always as (ordem_natural(nome)) stored;
alter table grupo_relatorio
  add column nome_natural text collate "C" generated always as (ordem_natural(nome_grupo)) stored;
alter table relatorio
  add column nome_natural text collate "C" generated always as (ordem_natural(nome_relatorio)) stored;
alter table perfil add column nome_natural text collate "C" generated always as (ordem_natural(nome_perfil)) stored;
alter table capacidade add column nome_natural text collate "C" generated always as (ordem_natural(nome)) stored;
alter table visao_salva add column nome_natural text collate "C" generated always as (ordem_natural(nome)) stored;

-- Each index contains the order and the searched columns, so that the keys of a page come from it alone (record 0014).
create index usuario_por_nome_natural on usuario (nome_natural, id_usuario) include (nome_ordem, email_ordem);
create index usuario_por_tipo_natural
  on usuario (tipo_usuario, nome_natural, id_usuario) include (nome_ordem, email_ordem);
create index usuario_por_situacao_natural
  on usuario (situacao, nome_natural, id_usuario) include (nome_ordem, email_ordem);
create index relatorio_por_nome_natural on relatorio (nome_natural, id_relatorio) include (nome_ordem);
create index relatorio_por_grupo_natural
  on relatorio (id_grupo_relatorio, nome_natural, id_relatorio) include (nome_ordem);
create index relatorio_por_operadora_natural
  on relatorio (sem_acento(operadora_relatorio) collate "C", nome_natural, id_relatorio) include (nome_ordem);
create index grupo_relatorio_por_nome_natural
  on grupo_relatorio (nome_natural, id_grupo_relatorio) include (nome_ordem);

-- The order of the previous version; usuario_por_nome stays, sign-in finds accounts by it.
drop index usuario_por_tipo, usuario_por_situacao;
drop index relatorio_por_nome, relatorio_por_grupo, relatorio_por_operadora;
drop index grupo_relatorio_por_nome;
