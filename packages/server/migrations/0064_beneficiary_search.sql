-- The digest of a beneficiary's name as all searches fold it (ADR 0102), and the version of the data that it belongs to.
-- Old code leaves both as they are, so the rows that it writes are known: clinical/beneficiaries/name-search.job.ts fills them.
-- marca_nome stays for old code.
alter table beneficiario add column marca_busca text, add column versao_busca integer;
create index beneficiario_busca on beneficiario (marca_busca);
create index beneficiario_sem_busca on beneficiario (id) where versao_busca is distinct from versao and dados <> '';
