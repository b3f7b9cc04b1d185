-- How many sessions of a person are open. As a volatile function it sees what other sign-ins have committed while the calling
-- statement waited for the person's row; the statement itself does not.
create function sessoes_abertas(pessoa integer, agora timestamptz, ativa_desde timestamptz)
  returns bigint language plpgsql volatile as $$
begin
  return (select count(*) from sessao
    where id_usuario = pessoa and encerrada_em is null and expira_em > agora and ultimo_uso > ativa_desde);
end $$;
create index sessao_aberta on sessao (id_usuario) where encerrada_em is null;

-- The person gave the export up. It counts as under way until the provider reports its end.
alter table exportacao add column desistida_em timestamptz;

-- A second factor can be required of people with access to medical records too.
alter table configuracao drop constraint configuracao_segundo_fator_check;
alter table configuracao add constraint configuracao_segundo_fator_check check (segundo_fator in (
  'opcional', 'administradores', 'prontuarios', 'administradores_e_prontuarios', 'todos'));
-- False until an administrator has chosen a rule: so long, the portal proposes one.
alter table configuracao add column segundo_fator_decidido boolean not null default false;
update configuracao set segundo_fator_decidido = true where versao > 1;
