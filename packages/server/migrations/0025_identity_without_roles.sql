-- The embed token carries the viewer's identity even if the report has no roles: Analysis Services.
alter table relatorio add column envia_identidade boolean not null default false;
