-- An enrolment of a second factor that has not been confirmed belongs to the session that began it, and ends with it.
alter table segundo_fator add column id_sessao uuid;
alter table segundo_fator_novo add column id_sessao uuid;
-- The earlier ones belong to no session: nobody may confirm them.
delete from segundo_fator where ativo_em is null;
delete from segundo_fator_novo;

-- The e-mail about a new second factor carries a link that removes it.
alter table link_conta drop constraint link_conta_tipo_check;
alter table link_conta add constraint link_conta_tipo_check
  check (tipo in ('recuperacao', 'convite', 'confirmacao', 'segundo_fator'));
