-- What an older program must know of a migration that it does not know (db/migration-kind.ts).
create table migracao (
  nome text primary key,
  -- Null after an expand step: every version that worked before works still.
  versao_minima text
);
