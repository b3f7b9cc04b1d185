-- A kiosk: a screen on a wall that shows pages of reports in turn (docs/decisions/0059).
create table telao (
  id_telao integer generated always as identity primary key,
  nome text not null,
  nome_ordem text collate "C" generated always as (sem_acento(nome)) stored,
  -- 'CLARO' or 'ESCURO'
  aparencia text not null default 'CLARO',
  ativo boolean not null default true,
  -- Days for which a screen stays connected.
  validade_dias integer not null default 90,
  -- User and customData of the effective identity.
  usuario_identidade text,
  identidade_rls text,
  versao integer not null default 1
);
create unique index telao_nome_unico on telao (nome_ordem);

create table telao_pagina (
  id_telao_pagina integer generated always as identity primary key,
  id_telao integer not null references telao on delete cascade,
  posicao integer not null,
  -- Null: the report was deleted; its name is kept for the page of the kiosk.
  id_relatorio integer references relatorio on delete set null,
  nome_relatorio text not null,
  -- The page's name at the provider, and its title when it was chosen.
  pagina text,
  titulo_pagina text,
  segundos integer not null
);
create index telao_pagina_telao on telao_pagina (id_telao, posicao);
create index telao_pagina_relatorio on telao_pagina (id_relatorio);

-- The connected screen. The credential is known by its digest only.
create table telao_tela (
  id_telao integer primary key references telao on delete cascade,
  marca text not null,
  -- The reports are those that this person may see.
  conectada_por integer not null references usuario on delete cascade,
  conectada_em timestamptz not null,
  vista_em timestamptz,
  expira_em timestamptz not null,
  dispositivo text
);
create unique index telao_tela_marca on telao_tela (marca);
create index telao_tela_conectada_por on telao_tela (conectada_por);

-- A screen that shows a code and waits for an administrator: digests of both of its secrets.
create table telao_codigo (
  marca_codigo text primary key,
  marca text not null,
  criado_em timestamptz not null,
  expira_em timestamptz not null,
  dispositivo text,
  endereco text not null
);
create unique index telao_codigo_marca on telao_codigo (marca);
create index telao_codigo_vencimento on telao_codigo (expira_em);
