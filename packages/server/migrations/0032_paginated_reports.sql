-- Paginated reports: their type, the parameters as 'Name=value', and whether readers choose others.
alter table relatorio
  add column tipo_relatorio text not null default 'INTERATIVO'
    check (tipo_relatorio in ('INTERATIVO', 'PAGINADO')),
  add column parametros text[] not null default '{}',
  add column painel_parametros boolean not null default true;

alter table exportacao drop constraint exportacao_formato_check;
alter table exportacao add constraint exportacao_formato_check
  check (formato in ('PDF', 'PNG', 'XLSX', 'DOCX', 'PPTX', 'CSV'));
