-- What the viewer keeps for each person: starred reports, saved views, exports under way.

create table favorito (
  id_usuario integer not null references usuario on delete cascade,
  id_relatorio integer not null references relatorio on delete cascade,
  -- The order that the person chose; equal numbers fall back on the report's id.
  posicao integer not null,
  primary key (id_usuario, id_relatorio)
);
create index favorito_relatorio on favorito (id_relatorio);

create table visao_salva (
  id_visao integer generated always as identity primary key,
  id_usuario integer not null references usuario on delete cascade,
  id_relatorio integer not null references relatorio on delete cascade,
  nome text not null,
  nome_ordem text collate "C" generated always as (sem_acento(nome)) stored,
  padrao boolean not null default false,
  pagina text,
  filtros jsonb not null default '{}',
  -- The state of a bookmark, opaque to us.
  marcador text,
  versao integer not null default 1
);
create unique index visao_salva_nome_unico on visao_salva (id_usuario, id_relatorio, nome_ordem);
create unique index visao_salva_padrao_unico on visao_salva (id_usuario, id_relatorio) where padrao;
create index visao_salva_relatorio on visao_salva (id_relatorio);

-- An export asked for at the BI service; the file itself stays there until it is downloaded.
create table exportacao (
  id_exportacao uuid primary key,
  id_usuario integer not null references usuario on delete cascade,
  id_relatorio integer not null references relatorio on delete cascade,
  formato text not null check (formato in ('PDF', 'PNG')),
  -- The provider's id; null until it has accepted.
  externo text,
  -- Digest of what the rows in the file depend on: report, connection, filter and identity. Another today, and it is of no use.
  alcance text not null,
  pedida_em timestamptz not null,
  -- Ready, failed or given up: it counts no more as under way.
  encerrada_em timestamptz
);
create index exportacao_usuario on exportacao (id_usuario, pedida_em);
create index exportacao_relatorio on exportacao (id_relatorio);
create index exportacao_pedida on exportacao (pedida_em);
