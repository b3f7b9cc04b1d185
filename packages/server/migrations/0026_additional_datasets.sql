-- Further datasets that the embed token opens, as 'dataset' or 'workspace/dataset': composite models.
alter table relatorio add column datasets_adicionais text[] not null default '{}';
