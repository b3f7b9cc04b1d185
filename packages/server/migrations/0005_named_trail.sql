-- The trail by name: what a deleted object was called is read from the record of its deletion.
create index auditoria_exclusoes on auditoria (objeto) where acao like '%.deleted' or acao = 'account.refused';

-- What was shown besides the password when the session was opened; null where nothing was asked for.
alter table sessao add column segundo_fator text check (segundo_fator in ('codigo', 'codigo_recuperacao'));
