-- Comments of readers on reports (docs/decisions/0072). Both switches must be on.
alter table configuracao add column comentarios boolean not null default true;
alter table relatorio add column comentarios boolean not null default true;

create table comentario (
  id_comentario integer generated always as identity primary key,
  id_relatorio integer not null references relatorio on delete cascade,
  -- The first comment of its thread; null in that comment itself.
  id_conversa integer references comentario on delete cascade,
  -- Null: the person was deleted.
  id_usuario integer references usuario on delete set null,
  -- Plain text with mentions as '@{id_usuario}'; '' in a deleted comment that has replies.
  texto text not null,
  criado_em timestamptz not null,
  editado_em timestamptz,
  excluido_em timestamptz,
  -- The state of the thread, in its first comment.
  resolvido_em timestamptz,
  resolvido_por integer references usuario on delete set null,
  -- What the report showed when the thread began; filtros is null for a reply.
  pagina text,
  titulo_pagina text not null default '',
  filtros jsonb,
  -- The state of a bookmark, opaque to us.
  marcador text,
  tem_selecoes boolean not null default false,
  -- Digest of the effective identity that chose the rows; null: the report sent none.
  linhas text
);
create index comentario_conversas on comentario (id_relatorio, id_comentario) where id_conversa is null;
create index comentario_abertas on comentario (id_relatorio) where id_conversa is null and resolvido_em is null;
create index comentario_relatorio on comentario (id_relatorio);
create index comentario_respostas on comentario (id_conversa, id_comentario);
create index comentario_usuario on comentario (id_usuario);
create index comentario_resolvido_por on comentario (resolvido_por);

-- A notification about a comment is shown only to a person who may read the comment.
alter table notificacao add column id_comentario integer references comentario on delete cascade;
create index notificacao_comentario on notificacao (id_comentario) where id_comentario is not null;

-- Tells open panels that some comment has changed. In a trigger, so that no path can forget it.
create table comentario_versao (
  unico boolean primary key default true check (unico),
  versao bigint not null default 1
);
insert into comentario_versao default values;
create function muda_comentarios() returns trigger language plpgsql as $$
begin
  update comentario_versao set versao = versao + 1;
  return null;
end $$;
create trigger comentario_muda after insert or update or delete or truncate on comentario
  for each statement execute function muda_comentarios();
