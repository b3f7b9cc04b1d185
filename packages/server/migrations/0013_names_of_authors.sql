-- Names that look alike, and who an author is besides their name.

-- What a reader sees of the name (names/name-skeleton.ts). The program writes it with the name, and fills it at its start where
-- it is null: it comes from a table that SQL does not have. Earlier accounts may be alike, so no constraint forbids it; the
-- program compares under a lock.
alter table usuario add column nome_semelhante text collate "C";
create index usuario_nome_semelhante on usuario (nome_semelhante);

alter table usuario add column conselho_profissional text;
alter table usuario add column numero_registro text;
alter table usuario add column uf_registro text;
alter table usuario add constraint usuario_registro_inteiro
  check (num_nulls(conselho_profissional, numero_registro, uf_registro) in (0, 3));
alter table usuario add column registro_profissional text
  generated always as (conselho_profissional || ' ' || numero_registro || '/' || uf_registro) stored;

-- Kept with what was written, as the name is: null where the author had none, and in what is older than this.
alter table prontuario add column registro_autor text;
alter table prontuario add column registro_alterado_por text;
alter table prontuario_versao add column registro_autor text;
alter table anexo add column registro_autor text;
