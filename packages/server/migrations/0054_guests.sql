-- Guests ('Convidados'): people without an account see one report through links by e-mail
-- (docs/decisions/0074).

-- The rules of the installation; one row.
create table convidado_regras (
  unico boolean primary key default true check (unico),
  ligado boolean not null default false,
  -- Days from today to the last day of an invitation that is saved.
  dias_maximos integer not null default 30,
  -- In lower case. An empty list allows all domains.
  dominios text[] not null default '{}',
  -- Addresses and networks in CIDR notation from which guests may visit. An empty list allows all.
  redes text[] not null default '{}',
  versao integer not null default 1
);
insert into convidado_regras default values;

create table convidado (
  id_convidado integer generated always as identity primary key,
  email_convidado text not null,
  email_ordem text collate "C" generated always as (sem_acento(email_convidado)) stored,
  id_relatorio integer not null references relatorio on delete cascade,
  -- User and customData of the effective identity.
  usuario_identidade text,
  identidade_rls text,
  motivo text not null,
  -- From here on the guest may not visit.
  vence_em timestamptz not null,
  -- The ADMIN who saved it last. Without an active one, nobody answers for the guest, who stays out.
  convidado_por integer references usuario on delete set null,
  convidado_em timestamptz not null,
  ultima_visita timestamptz,
  revogado_em timestamptz,
  versao integer not null default 1
);
create unique index convidado_unico on convidado (email_ordem, id_relatorio) where revogado_em is null;
create index convidado_relatorio on convidado (id_relatorio);
create index convidado_convidado_por on convidado (convidado_por);
create index convidado_vence on convidado (vence_em);

-- A link that opens a visit, once. It is known by its digest only.
create table convidado_link (
  marca text primary key,
  id_convidado integer not null references convidado on delete cascade,
  criado_em timestamptz not null,
  expira_em timestamptz not null
);
create index convidado_link_convidado on convidado_link (id_convidado);
create index convidado_link_vencimento on convidado_link (expira_em);

-- The open visit of a guest. The credential is known by its digest only.
create table convidado_visita (
  id_convidado integer primary key references convidado on delete cascade,
  marca text not null,
  iniciada_em timestamptz not null,
  expira_em timestamptz not null
);
create unique index convidado_visita_marca on convidado_visita (marca);
create index convidado_visita_vencimento on convidado_visita (expira_em);
