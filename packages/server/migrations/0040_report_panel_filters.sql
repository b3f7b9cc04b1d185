-- The filters of a report's panel as an administrator registered them: a list of columns, each with
-- label, values and default. Null: as the report itself declares them.
alter table relatorio add column filtros_painel jsonb;

-- A report need not have an operadora.
alter table relatorio alter column operadora_relatorio set default '';
