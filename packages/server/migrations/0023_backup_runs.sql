-- Each run of an encrypted backup, whatever came of it.
create table copia_seguranca (
  id_copia bigint generated always as identity primary key,
  -- When the schedule asked for it; null for the operator's command.
  prevista_em timestamptz,
  tentativa integer not null default 1,
  iniciada_em timestamptz not null,
  -- The process that makes it writes this again and again: a run that has stopped doing so was interrupted.
  ativa_em timestamptz not null,
  terminada_em timestamptz,
  resultado text check (resultado in ('boa', 'falhou', 'interrompida')),
  -- Without credentials.
  destino text not null,
  arquivo text,
  bytes bigint,
  sha256 text,
  -- Whether it was read back, decrypted and restored into a scratch database.
  verificada boolean not null default false,
  -- Portuguese, fit for the screen.
  erro text,
  aviso text,
  check ((terminada_em is null) = (resultado is null)),
  -- Of several nodes, one makes each attempt.
  unique (prevista_em, tentativa)
);
create index copia_seguranca_boa on copia_seguranca (terminada_em) where resultado = 'boa';

-- One row: which installation this is. A restored copy has the same id as its source.
create table instalacao (
  unico boolean primary key default true check (unico),
  id uuid not null default gen_random_uuid(),
  -- Restored as a test, and not confirmed as production: no e-mail leaves, no backup is made.
  ensaio jsonb
);
insert into instalacao default values;
