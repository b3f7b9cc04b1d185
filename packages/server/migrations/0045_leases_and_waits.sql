-- A run holds its schedule until then: after that, the process that ran it has died.
alter table agenda_dados add column ocupada_ate timestamptz;
-- Runs that were begun since the last one that ended for good.
alter table agenda_dados add column tentativas integer not null default 0;
-- The failure of which the administrators were notified.
alter table agenda_dados add column avisada text;

-- A refused change of the size waits until then. Starts and pauses, which wait in tentar_em, do not.
alter table capacidade_estado add column tamanho_tentar_em timestamptz;
-- The failure to change the size of which the administrators were notified, like avisada.
alter table capacidade_estado add column tamanho_avisado text;
