-- The sizes that the schedule sets: when it starts the capacity, and at its end instead of a pause.
alter table capacidade
  add column tamanho_inicio text,
  add column tamanho_fim text;
-- The last moment of the sizes that is done, and when the portal last asked Azure for a size.
alter table capacidade_estado
  add column tamanho_feito timestamptz,
  add column tamanho_pedido timestamptz;
