-- Where the dataset of a report is at the provider, as last read.
create table conjunto_relatorio (
  id_relatorio integer primary key references relatorio on delete cascade,
  -- The report's id when it was read: another id has another dataset.
  report_id text not null,
  -- Null: not known, or a report without dataset.
  id_grupo_conjunto text,
  id_conjunto text,
  lido_em timestamptz not null
);

-- When the refreshes of a dataset were last read, by whichever process was first.
create table leitura_atualizacoes (
  id_power_bi integer not null references powerbi on delete cascade,
  -- In lower case.
  id_conjunto text not null,
  lida_em timestamptz not null,
  -- The administrators know of the failures up to this end.
  falhas_ate timestamptz not null,
  primary key (id_power_bi, id_conjunto)
);
