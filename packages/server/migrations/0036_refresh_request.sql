-- When the portal last asked Microsoft for a refresh of data on the capacity. The provider's history
-- shows a refresh only some time later.
alter table capacidade_estado add column atualizacao_pedida timestamptz;
