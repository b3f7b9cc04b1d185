-- When the data of a report of the local service is replaced, and from which file.
create table agenda_dados (
  id_agenda integer generated always as identity primary key,
  -- At the local service, in lower case.
  report_id text not null unique,
  tabela text not null,
  origem text not null check (origem in ('PASTA', 'URL')),
  -- Sealed: an address may contain a key.
  endereco text not null,
  frequencia text not null check (frequencia in ('HORA', 'DIA')),
  -- '06:30', in America/Sao_Paulo.
  horario text not null,
  ativa boolean not null,
  -- Of several processes, the one that moves it does the run.
  proxima_em timestamptz not null,
  ultima_em timestamptz,
  resultado text check (resultado in ('SUBSTITUIDO', 'INALTERADO', 'FALHOU')),
  frase text,
  -- Digest of the file of the last replacement.
  resumo text
);
