-- Subscriptions ('Assinaturas'): reports sent by e-mail (docs/decisions/0073).

-- The rules of the installation; one row.
create table assinatura_regras (
  unico boolean primary key default true check (unico),
  -- In lower case. An empty list allows all domains.
  dominios text[] not null default '{}',
  -- Reports with roles, with an identity, or marked as sensitive may be attached.
  anexos_restritos boolean not null default false,
  -- Megabytes of the largest attachment.
  anexo_mb integer not null default 10,
  versao integer not null default 1
);
insert into assinatura_regras default values;

-- E-mails of subscriptions have a link instead of its data.
alter table relatorio add column sensivel boolean not null default false;

create table assinatura (
  id_assinatura integer generated always as identity primary key,
  id_relatorio integer not null references relatorio on delete cascade,
  id_dono integer not null references usuario on delete cascade,
  assunto text not null,
  assunto_ordem text collate "C" generated always as (sem_acento(assunto)) stored,
  assunto_natural text collate "C" generated always as (ordem_natural(assunto)) stored,
  nota text,
  -- The content; that of the saved view, if there is one, which a trigger copies.
  id_visao integer references visao_salva on delete set null,
  pagina text,
  titulo_pagina text,
  filtros json not null default '{}',
  marcador text,
  parametros text[] not null default '{}',
  -- 'PDF' or 'PNG'; 'LINK' or 'ANEXO'
  formato text not null,
  entrega text not null,
  -- 'DIARIA', 'DIAS_UTEIS', 'SEMANAL', 'MENSAL' or 'ATUALIZACAO'
  frequencia text not null,
  -- hh:mm in fuso, an IANA time zone; null for 'ATUALIZACAO'
  horario text,
  dia_semana text,
  -- 'PRIMEIRO_UTIL' or 'ULTIMO_UTIL'
  dia_mes text,
  fuso text not null,
  pula_vazio boolean not null default false,
  pula_inalterado boolean not null default false,
  ativa boolean not null default true,
  -- Null: inactive, or after a refresh.
  proxima_em timestamptz,
  -- The end of the newest refresh that began a run, or that was there when it was saved.
  atualizada_ate timestamptz not null,
  -- The failure of which the owner was notified; null after a success.
  avisada text,
  versao integer not null default 1
);
create index assinatura_dono on assinatura (id_dono);
create index assinatura_relatorio on assinatura (id_relatorio);
create index assinatura_visao on assinatura (id_visao);
create index assinatura_proxima on assinatura (proxima_em) where proxima_em is not null;

create function copia_visao_assinada() returns trigger language plpgsql as $$
begin
  update assinatura set pagina = new.pagina, filtros = new.filtros, marcador = new.marcador,
    versao = versao + 1, titulo_pagina = case when assinatura.pagina is not distinct from new.pagina then titulo_pagina end
  where id_visao = new.id_visao;
  return null;
end $$;
create trigger visao_salva_assinada after update of pagina, filtros, marcador on visao_salva
  for each row execute function copia_visao_assinada();

create table assinatura_pessoa (
  id_assinatura integer not null references assinatura on delete cascade,
  id_usuario integer not null references usuario on delete cascade,
  primary key (id_assinatura, id_usuario)
);
create index assinatura_pessoa_usuario on assinatura_pessoa (id_usuario);

create table assinatura_perfil (
  id_assinatura integer not null references assinatura on delete cascade,
  id_perfil integer not null references perfil on delete cascade,
  primary key (id_assinatura, id_perfil)
);
create index assinatura_perfil_perfil on assinatura_perfil (id_perfil);

-- The password of a person's PDFs; sealed, and empty when its key was lost.
create table senha_pdf (
  id_usuario integer primary key references usuario on delete cascade,
  senha text not null,
  definida_em timestamptz not null
);

-- Who unsubscribed; they stay out however they are recipients.
create table assinatura_saida (
  id_assinatura integer not null references assinatura on delete cascade,
  id_usuario integer not null references usuario on delete cascade,
  em timestamptz not null,
  primary key (id_assinatura, id_usuario)
);
create index assinatura_saida_usuario on assinatura_saida (id_usuario);

create table assinatura_execucao (
  id_execucao integer generated always as identity primary key,
  id_assinatura integer not null references assinatura on delete cascade,
  -- 'AGENDA', 'ATUALIZACAO' or 'TESTE'
  causa text not null,
  -- 'EM_ANDAMENTO', 'CONCLUIDA', 'PARCIAL', 'NAO_ENVIADA' or 'FALHOU'
  estado text not null default 'EM_ANDAMENTO',
  prevista_em timestamptz not null,
  iniciada_em timestamptz,
  -- The data were judged, and each recipient has a file or was skipped.
  preparada_em timestamptz,
  terminada_em timestamptz,
  frase text,
  dados_de timestamptz,
  -- The filters of the content, in words, and as the query of the report's address.
  filtros text,
  consulta text,
  repeticoes integer not null default 0,
  -- When its next step is due, and until when a process holds it.
  tentar_em timestamptz not null,
  ocupada_ate timestamptz
);
create index assinatura_execucao_assinatura on assinatura_execucao (id_assinatura, id_execucao);
create index assinatura_execucao_aberta on assinatura_execucao (tentar_em) where terminada_em is null;

-- A file of a run, which the recipients of one identity share.
create table assinatura_arquivo (
  id_arquivo integer generated always as identity primary key,
  id_execucao integer not null references assinatura_execucao on delete cascade,
  -- Keyed digest of what determines its rows.
  alcance text not null,
  -- 'PENDENTE', 'GERANDO', 'PRONTO' or 'FALHOU'
  estado text not null default 'PENDENTE',
  -- The provider's export, and when it was asked for.
  externo text,
  pedido_em timestamptz,
  -- Name in the store of files, sealed data key, and size; null without a file.
  arquivo uuid,
  chave text,
  bytes integer,
  -- Keyed digest of its rows, where the provider tells them apart.
  resumo text,
  frase text,
  repeticoes integer not null default 0,
  tentar_em timestamptz not null,
  ocupado_ate timestamptz,
  unique (id_execucao, alcance)
);
create index assinatura_arquivo_aberto on assinatura_arquivo (tentar_em) where estado in ('PENDENTE', 'GERANDO');

-- A file that no row names is deleted with those of unfinished uploads.
create function descarta_arquivo_assinado() returns trigger language plpgsql as $$
begin
  if old.arquivo is not null and (tg_op = 'DELETE' or new.arquivo is distinct from old.arquivo) then
    insert into arquivo_pendente (arquivo, criado_em) values (old.arquivo, now())
      on conflict do nothing;
  end if;
  return null;
end $$;
create trigger assinatura_arquivo_descarte after delete or update of arquivo on assinatura_arquivo
  for each row execute function descarta_arquivo_assinado();

-- One e-mail per run and recipient.
create table assinatura_entrega (
  id_execucao integer not null references assinatura_execucao on delete cascade,
  id_usuario integer not null references usuario on delete cascade,
  -- 'PENDENTE', 'NA_FILA', 'ENVIADA', 'PULADA' or 'FALHOU'
  estado text not null default 'PENDENTE',
  motivo text,
  em timestamptz not null,
  id_arquivo integer references assinatura_arquivo on delete set null,
  primary key (id_execucao, id_usuario)
);
create index assinatura_entrega_usuario on assinatura_entrega (id_usuario);
create index assinatura_entrega_arquivo on assinatura_entrega (id_arquivo);
create index assinatura_entrega_aberta on assinatura_entrega (id_execucao) where estado in ('PENDENTE', 'NA_FILA');

-- The end of the newest completed refresh; null: none is known.
alter table leitura_atualizacoes add column concluida_em timestamptz;
