-- A capacity in Azure (F: Microsoft Fabric, A: Power BI Embedded), and when it runs.
create table capacidade (
  id_capacidade integer generated always as identity primary key,
  nome text not null,
  nome_ordem text collate "C" generated always as (sem_acento(nome)) stored,
  id_power_bi integer not null references powerbi,
  -- /subscriptions/…/resourceGroups/…/providers/…/capacities/…
  recurso text not null,
  dias_agenda text[] not null default '{}',
  -- '08:00', in America/Sao_Paulo.
  inicia_as text,
  pausa_as text,
  -- yyyy-mm-dd
  feriados text[] not null default '{}',
  ociosa_minutos integer,
  versao integer not null default 1
);
create unique index capacidade_recurso_unico on capacidade (lower(recurso));
-- Of the workspaces of one connection, all are on one capacity.
create unique index capacidade_conexao_unica on capacidade (id_power_bi);

-- What the portal's processes know of a capacity, and share.
create table capacidade_estado (
  id_capacidade integer primary key references capacidade on delete cascade,
  estado text not null default 'DESCONHECIDA',
  sku text,
  -- When the state was last read, or tried to be; of several processes, the one that writes it reads.
  tentada_em timestamptz,
  lida_em timestamptz,
  -- Why it could not be read the last time.
  falha text,
  -- Of several processes, the one that writes this looks after the capacity for the next minute.
  vigiada_em timestamptz,
  -- A report of it was open.
  usada_em timestamptz,
  -- Of several processes, the one that writes this sends the next change to Azure.
  ocupada_ate timestamptz,
  -- The schedule's last moment that needs nothing more.
  agenda_feita timestamptz,
  -- When Azure accepted the change of the schedule's last moment.
  agenda_pedida timestamptz,
  -- When and why the portal started it the last time.
  iniciada_em timestamptz,
  iniciada_por text,
  -- No automatic change before this, after a failure.
  tentar_em timestamptz,
  nao_pausada text,
  -- The failure that administrators know of.
  avisada text
);

-- Periods in which the portal saw the capacity running.
create table capacidade_periodo (
  id_capacidade integer not null references capacidade on delete cascade,
  inicio timestamptz not null,
  fim timestamptz not null,
  sku text,
  -- It was seen stopped, or its pause was sent: the next reading begins another period.
  encerrado boolean not null default false,
  primary key (id_capacidade, inicio)
);

-- Who, besides administrators, starts it by opening a report.
create table capacidade_pessoa (
  id_capacidade integer not null references capacidade on delete cascade,
  id_usuario integer not null references usuario on delete cascade,
  primary key (id_capacidade, id_usuario)
);
create index capacidade_pessoa_usuario on capacidade_pessoa (id_usuario);
create table capacidade_perfil (
  id_capacidade integer not null references capacidade on delete cascade,
  id_perfil integer not null references perfil on delete cascade,
  primary key (id_capacidade, id_perfil)
);
create index capacidade_perfil_perfil on capacidade_perfil (id_perfil);
