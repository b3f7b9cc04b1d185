-- Alerts ('Alertas') on values of reports (docs/decisions/0076).

create table alerta (
  id_alerta integer generated always as identity primary key,
  id_relatorio integer not null references relatorio on delete cascade,
  id_dono integer not null references usuario on delete cascade,
  nome_alerta text not null,
  nome_ordem text collate "C" generated always as (sem_acento(nome_alerta)) stored,
  nome_natural text collate "C" generated always as (ordem_natural(nome_alerta)) stored,
  -- 'VISUAL' or 'DAX'
  origem text not null,
  pagina text,
  titulo_pagina text,
  visual text,
  titulo_visual text,
  coluna text,
  rotulo_coluna text,
  -- How the report formats the value.
  formato text,
  -- Column → value of the row; null: the only row.
  chave_linha json,
  filtros json not null default '{}',
  -- The query of the report's address, and the filters in words.
  endereco text not null,
  em_palavras text,
  -- The DAX query.
  consulta text,
  -- 'ACIMA', 'ABAIXO', 'VARIOU' or 'AUSENTE'
  condicao text not null,
  limite double precision,
  percentual boolean not null default false,
  -- 'ATUALIZACAO', 'HORA', 'DIARIA' or 'DIAS_UTEIS'
  frequencia text not null,
  -- hh:mm in fuso, an IANA time zone
  horario text,
  fuso text not null,
  por_email boolean not null default true,
  -- JSON of address and secret, sealed; empty when its key was lost.
  webhook text,
  host_webhook text,
  ativo boolean not null default true,
  -- 'AGUARDA', 'NORMAL' or 'ATINGIDA'
  estado text not null default 'AGUARDA',
  -- Keyed digest of what determines the value: one with another digest is compared with nothing.
  alcance text,
  valor double precision,
  valor_em timestamptz,
  -- The value with which 'VARIOU' compares.
  referencia double precision,
  -- The failure of the last evaluation; whether the owner was notified of it.
  falha text,
  avisada boolean not null default false,
  repeticoes integer not null default 0,
  -- When it is evaluated next, and until when a process holds it.
  proxima_em timestamptz,
  ocupado_ate timestamptz,
  -- The end of the newest refresh after which it was evaluated, or that was there when it was saved.
  atualizada_ate timestamptz not null,
  versao integer not null default 1
);
create index alerta_dono on alerta (id_dono);
create index alerta_relatorio on alerta (id_relatorio);
create index alerta_proxima on alerta (proxima_em) where proxima_em is not null;

create table alerta_avaliacao (
  id_avaliacao integer generated always as identity primary key,
  id_alerta integer not null references alerta on delete cascade,
  em timestamptz not null,
  -- 'INICIAL', 'NORMAL', 'CRUZOU', 'CONTINUA', 'SEM_VALOR', 'FALHOU' or 'RECUSADA'
  resultado text not null,
  valor double precision,
  anterior double precision,
  frase text,
  duracao_ms integer not null,
  alcance text,
  versao_alerta integer not null
);
create index alerta_avaliacao_alerta on alerta_avaliacao (id_alerta, id_avaliacao);
create index alerta_avaliacao_em on alerta_avaliacao (em);

-- The e-mail and the call of the webhook of a crossing.
create table alerta_envio (
  id_avaliacao integer not null references alerta_avaliacao on delete cascade,
  -- 'EMAIL' or 'WEBHOOK'
  canal text not null,
  -- 'NA_FILA', 'ENVIADO', 'NAO_ENVIADO' or 'FALHOU'
  estado text not null default 'NA_FILA',
  motivo text,
  em timestamptz not null,
  tentativas integer not null default 0,
  -- Null: the mail sender sends it.
  tentar_em timestamptz,
  primary key (id_avaliacao, canal)
);
create index alerta_envio_aberto on alerta_envio (tentar_em) where estado = 'NA_FILA';

-- Only a person who may see the alert's report sees its notifications.
alter table notificacao add column id_alerta integer references alerta on delete cascade;
create index notificacao_alerta on notificacao (id_alerta) where id_alerta is not null;
