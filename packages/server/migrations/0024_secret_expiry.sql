-- When the secret of a connection expires, as Microsoft Graph answers; null: not asked yet.
create table leitura_segredo (
  id_power_bi integer primary key references powerbi on delete cascade,
  -- Of the connection when it was asked for: an edited one is asked for again.
  versao integer not null,
  -- Of several processes, the one that writes this makes the next call.
  proxima_em timestamptz not null,
  resultado text check (resultado in ('lida', 'sem_permissao', 'nao_encontrada', 'falhou')),
  vence_em timestamptz,
  check ((vence_em is not null) = (resultado is not distinct from 'lida'))
);
