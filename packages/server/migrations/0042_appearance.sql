-- One row: how the installation looks. Null values leave the product's own look.
create table aparencia (
  unico boolean primary key default true check (unico),
  nome text check (char_length(nome) between 1 and 40),
  cor text check (cor ~ '^#[0-9a-f]{6}$'),
  -- A PNG that the portal has drawn itself, and its content hash.
  logo bytea,
  logo_marca text,
  versao integer not null default 1,
  check ((logo is null) = (logo_marca is null))
);
insert into aparencia default values;
