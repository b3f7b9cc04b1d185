-- Who, besides administrators, may ask for a refresh of a report's data. They must also see the report.
create table relatorio_atualizador (
  id_relatorio integer not null references relatorio on delete cascade,
  id_usuario integer not null references usuario on delete cascade,
  primary key (id_relatorio, id_usuario)
);
create index relatorio_atualizador_usuario on relatorio_atualizador (id_usuario);
