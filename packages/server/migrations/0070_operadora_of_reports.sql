-- A report has an operadora; one that was registered without it counts as 'Todas'. The default serves the
-- previous version, which may leave the column out while it runs beside this one.
update relatorio set operadora_relatorio = 'Todas' where operadora_relatorio = '';
alter table relatorio alter column operadora_relatorio set default 'Todas';
